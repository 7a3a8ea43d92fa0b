import { useState } from 'react';
import { formatMoney, sumCents } from '#shared/money.ts';
import { AMOUNT, type Column } from '#web/components/list/columns.tsx';
import { DataTable } from '#web/components/list/data-table.tsx';
import { Badge } from '#web/components/ui/badge.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Panel } from '#web/components/ui/panel.tsx';
import { ClientLink } from '#web/components/ui/place-links.tsx';
import { SecondLine } from '#web/components/ui/second-line.tsx';
import { formatDay, formatInstantDay } from '#web/lib/format/dates.ts';
import { RECEIPT_METHOD_LABELS } from '#web/lib/vocabulary/receipt-methods.ts';
import type { Tone } from '#web/lib/vocabulary/statuses.ts';
import {
  AskRefundDialog,
  DeclineRefundDialog,
  PayRefundDialog,
  ReturnRefundDialog,
} from './refund-dialogs.tsx';
import {
  type Account,
  type OnAccount,
  type Refund,
  useOnAccount,
  useRefunds,
} from './refunds-api.ts';

const STATES: Record<Refund['status'], [label: string, tone: Tone]> = {
  asked: ['Asked for', 'orange'],
  paid: ['Paid', 'green'],
  declined: ['Declined', 'grey'],
  returned: ['Came back', 'blue'],
};

const DIALOGS = {
  pay: PayRefundDialog,
  decline: DeclineRefundDialog,
  return: ReturnRefundDialog,
};

type Chosen = { refund: Refund; dialog: keyof typeof DIALOGS };

const refundColumns = (onChoose: (chosen: Chosen) => void, isOne: boolean): Column<Refund>[] => [
  {
    header: isOne ? 'Asked' : 'Client',
    card: 'title',
    className: 'font-semibold',
    cell: (refund) => (
      <>
        {isOne ? (
          formatInstantDay(refund.created_at)
        ) : (
          <ClientLink id={refund.client_id} name={refund.clients.name} />
        )}
        <SecondLine wraps>
          {[refund.reason, refund.asked && `Asked by ${refund.asked.full_name}`]
            .filter(Boolean)
            .join('. ')}
        </SecondLine>
      </>
    ),
  },
  {
    header: 'Paid',
    card: 'line',
    cell: ({ method, paid_on, reference, returned_on, return_reason }) => (
      <>
        {[RECEIPT_METHOD_LABELS[method], paid_on && formatDay(paid_on), reference]
          .filter(Boolean)
          .join(', ')}
        {returned_on && (
          <SecondLine wraps>
            Came back {formatDay(returned_on)}: {return_reason}
          </SecondLine>
        )}
      </>
    ),
  },
  {
    header: 'Amount',
    className: AMOUNT,
    cell: ({ amount, currency }) => formatMoney(amount, currency),
  },
  {
    header: 'Status',
    card: 'aside',
    cell: ({ status }) => <Badge tone={STATES[status][1]}>{STATES[status][0]}</Badge>,
  },
  {
    header: 'Actions',
    card: 'actions',
    className: 'text-right print:hidden',
    cell: (refund) => {
      const open = (dialog: Chosen['dialog']) => () => onChoose({ refund, dialog });
      return (
        <span className="flex justify-end gap-2">
          {refund.status === 'asked' && (
            <>
              <Button variant="danger-ghost" onClick={open('decline')}>
                Decline
              </Button>
              <Button variant="secondary" onClick={open('pay')}>
                Pay
              </Button>
            </>
          )}
          {refund.status === 'paid' && (
            <Button variant="secondary" onClick={open('return')}>
              Came Back
            </Button>
          )}
        </span>
      );
    },
  },
];

type RefundsProps = { title: string; rows: Refund[]; isOne: boolean };

function Refunds({ title, rows, isOne }: RefundsProps) {
  const [chosen, setChosen] = useState<Chosen>();
  const Opened = chosen && DIALOGS[chosen.dialog];
  return (
    <Panel title={title}>
      <DataTable
        label={title}
        columns={refundColumns(setChosen, isOne)}
        rows={rows}
        rowId={({ id }) => id}
        room={40}
      />
      {chosen && Opened && <Opened refund={chosen.refund} onClose={() => setChosen(undefined)} />}
    </Panel>
  );
}

/** Of all clients: refunds that wait for a second person; nothing without any. */
export function AskedRefunds() {
  const { data = [] } = useRefunds();
  if (data.length === 0) return null;
  return (
    <div className="mt-6">
      <Refunds title="Refunds to Decide" rows={data} isOne={false} />
    </div>
  );
}

const receiptColumns = (onAsk: (receipt: OnAccount) => void): Column<OnAccount>[] => [
  {
    header: 'Receipt',
    card: 'title',
    className: 'font-semibold',
    cell: ({ received_on, method, reference }) =>
      [formatDay(received_on), RECEIPT_METHOD_LABELS[method], reference].filter(Boolean).join(', '),
  },
  {
    header: 'On Account',
    className: AMOUNT,
    cell: ({ unallocated, currency }) => formatMoney(unallocated, currency),
  },
  {
    header: 'Refund',
    card: 'actions',
    className: 'text-right print:hidden',
    cell: (receipt) =>
      receipt.amount > 0 && (
        <Button variant="secondary" onClick={() => onAsk(receipt)}>
          Refund<span className="sr-only"> of {formatDay(receipt.received_on)}</span>
        </Button>
      ),
  },
];

/** Of one client: receipts that pay no invoice, and what went back. Nothing without any. */
export function AccountPanels({ client, currency }: Account) {
  const { data: receipts = [] } = useOnAccount({ client, currency });
  const { data: refunds = [] } = useRefunds({ client, currency });
  const [asked, setAsked] = useState<OnAccount>();
  const sum = sumCents(receipts.map(({ unallocated }) => unallocated));
  return (
    <>
      {receipts.length > 0 && (
        <Panel title={`Money on Account: ${formatMoney(sum, currency)}`}>
          <DataTable
            label="Money on account"
            columns={receiptColumns(setAsked)}
            rows={receipts}
            rowId={({ id }) => id}
            room={30}
          />
        </Panel>
      )}
      {refunds.length > 0 && <Refunds title="Refunds" rows={refunds} isOne />}
      {asked && <AskRefundDialog receipt={asked} onClose={() => setAsked(undefined)} />}
    </>
  );
}
