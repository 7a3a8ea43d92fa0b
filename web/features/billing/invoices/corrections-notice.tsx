import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { formatCount } from '#shared/count.ts';
import { Alert } from '#web/components/ui/alert.tsx';
import { buttonStyles } from '#web/components/ui/button.tsx';
import { contractsKey } from '#web/lib/data/keys.ts';
import { supabase } from '#web/lib/supabase/client.ts';

async function fetchProposed() {
  const { data } = await supabase()
    .rpc('billing_corrections')
    .eq('status', 'proposed')
    .throwOnError();
  return data;
}

type CorrectionsNoticeProps = {
  /** The invoice that is shown; of all invoices without it. */
  invoice?: string;
};

/** Names the contracts whose rates were dated back into issued invoices; its own failure is not shown. */
export function CorrectionsNotice({ invoice }: CorrectionsNoticeProps) {
  const { data = [] } = useQuery({
    queryKey: [...contractsKey, 'corrections', 'proposed'],
    queryFn: fetchProposed,
  });
  const proposed = data.filter(({ invoice_id }) => !invoice || invoice_id === invoice);
  const contracts = new Map(proposed.map((row) => [row.contract_id, row.client_name]));
  if (contracts.size === 0) return null;
  return (
    <Alert
      className={invoice ? '' : 'mb-5'}
      title={
        invoice
          ? 'A rate was dated back into this invoice'
          : `A rate was dated back into issued invoices: ${proposed.length === 1 ? '1 correction' : `${formatCount(proposed.length)} corrections`} to decide`
      }
      action={[...contracts].map(([id, name]) => (
        <Link
          key={id}
          to="/admin/contracts/$id"
          params={{ id }}
          className={buttonStyles({ variant: 'secondary' })}
        >
          {invoice ? 'Decide on the contract' : name}
        </Link>
      ))}
    >
      {invoice ? 'Bill the difference with the next invoice, or waive it.' : null}
    </Alert>
  );
}
