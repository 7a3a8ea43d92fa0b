// The payments of a pay run: what is to be paid by each channel, its files, and what came of them.
import { formatMoney } from '#shared/money.ts';
import { useSave } from '#web/components/form/use-save.ts';
import { Alert } from '#web/components/ui/alert.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { EmptyNote, Loaded } from '#web/components/ui/loaded.tsx';
import { Panel, ScrollRegion } from '#web/components/ui/panel.tsx';
import { PersonLink } from '#web/components/ui/person-link.tsx';
import { showSuccess } from '#web/components/ui/toast.ts';
import { formatDay } from '#web/lib/format/dates.ts';
import { PAY_CHANNEL_LABELS } from '#web/lib/vocabulary/kinds.ts';
import { type RunPayments, useCreateFile, useRunPayments } from './api.ts';
import { FileList } from './file-list.tsx';
import { FormatsButton } from './formats-dialog.tsx';
import {
  type ChannelSums,
  countPayments,
  listBlocked,
  listFailed,
  type Payment,
  type Sums,
  sumPayments,
  sumsByChannel,
} from './schema.ts';

const NUMBER = 'px-3 py-2 text-right tabular-nums whitespace-nowrap';
const NAME = 'py-2 pr-3 text-left font-semibold whitespace-nowrap';

function Figure({ sum, currency }: { sum: Sums['toPay']; currency: string }) {
  if (sum.count === 0) return <td className={NUMBER}>-</td>;
  return (
    <td className={NUMBER}>
      {formatMoney(sum.cents, currency)}
      <span className="block text-sm text-muted">
        {sum.count} {sum.count === 1 ? 'person' : 'people'}
      </span>
    </td>
  );
}

function Figures({ sums, currency }: { sums: Sums; currency: string }) {
  return (
    <>
      <Figure sum={sums.toPay} currency={currency} />
      <Figure sum={sums.inFile} currency={currency} />
      <Figure sum={sums.paid} currency={currency} />
    </>
  );
}

function ChannelRow({ sums, run }: { sums: ChannelSums; run: RunPayments['run'] }) {
  const { channel, toPay } = sums;
  const { mutateAsync } = useCreateFile();
  const { save, busy } = useSave();
  const label = PAY_CHANNEL_LABELS[channel];
  const make = () =>
    save(async () => {
      const file = await mutateAsync({ runId: run.id, channel, currency: run.currency });
      showSuccess(`File ${file.number} made: ${countPayments(file.line_count)} by ${label}`);
    });
  return (
    <tr className="border-t border-line">
      <th scope="row" className={NAME}>
        {label}
      </th>
      <Figures sums={sums} currency={run.currency} />
      <td className="py-2 pl-3 text-right">
        {toPay.count > 0 && (
          <Button busy={busy} aria-label={`Make File for ${label}`} onClick={() => void make()}>
            {busy ? 'Making...' : 'Make File'}
          </Button>
        )}
      </td>
    </tr>
  );
}

function Channels({ run, payments }: Pick<RunPayments, 'run' | 'payments'>) {
  const blocked = listBlocked(payments);
  return (
    <Panel title="By Channel">
      <ScrollRegion label="Payments by channel">
        <table className="w-full">
          <thead className="text-sm text-muted">
            <tr>
              <th scope="col" className="py-2 pr-3 text-left font-semibold">
                Channel
              </th>
              {['To Pay', 'In Files', 'Paid'].map((name) => (
                <th key={name} scope="col" className="px-3 py-2 text-right font-semibold">
                  {name}
                </th>
              ))}
              <td />
            </tr>
          </thead>
          <tbody>
            {sumsByChannel(payments).map((sums) => (
              <ChannelRow key={sums.channel} sums={sums} run={run} />
            ))}
            {blocked.length > 0 && (
              <tr className="border-t border-line">
                <th scope="row" className={NAME}>
                  Can’t be made yet
                </th>
                <Figures sums={sumPayments(blocked)} currency={run.currency} />
                <td />
              </tr>
            )}
          </tbody>
          <tfoot>
            <tr className="border-t-2 border-line-strong font-semibold">
              <th scope="row" className={NAME}>
                Total
              </th>
              <Figures sums={sumPayments(payments)} currency={run.currency} />
              <td />
            </tr>
          </tfoot>
        </table>
      </ScrollRegion>
      <div className="mt-4">
        <FormatsButton currency={run.currency} />
      </div>
    </Panel>
  );
}

type ListedProps = { title: string; payments: Payment[]; reasonOf: (payment: Payment) => string };

function Listed({ title, payments, reasonOf }: ListedProps) {
  if (payments.length === 0) return null;
  return (
    <Alert title={title}>
      <ul className="grid max-h-72 gap-1 overflow-y-auto py-2.5">
        {payments.map((payment) => (
          <li key={payment.id} className="flex flex-wrap items-center gap-x-3">
            <PersonLink
              id={payment.staff.user_id ?? payment.staff_id}
              name={payment.staff.full_name}
            />
            <span className="tabular-nums">{formatMoney(payment.amount, payment.currency)}</span>
            <span>{reasonOf(payment)}</span>
          </li>
        ))}
      </ul>
    </Alert>
  );
}

const counted = (count: number, one: string, many: string) =>
  count === 1 ? `1 ${one}` : `${count} ${many}`;

export function PaymentsTab({ runId }: { runId: string }) {
  const query = useRunPayments(runId);
  return (
    <Loaded query={query} loadingText="Loading payments...">
      {({ run, payments, files }) => {
        if (run.status !== 'locked' && run.status !== 'paid') {
          return (
            <EmptyNote>
              {run.status === 'void'
                ? 'This run is void, so nothing is paid.'
                : 'Payments are made when the run is locked.'}
            </EmptyNote>
          );
        }
        const blocked = listBlocked(payments);
        const again = listFailed(payments);
        const failed = again.filter(({ status }) => status === 'failed');
        const returned = again.filter(({ status }) => status === 'returned');
        return (
          <div className="grid gap-5">
            <Listed
              title={`${counted(blocked.length, 'payment', 'payments')} can’t be made yet`}
              payments={blocked}
              reasonOf={(payment) => payment.blocked ?? ''}
            />
            <Listed
              title={`${counted(failed.length, 'payment has', 'payments have')} failed and must be paid again`}
              payments={failed}
              reasonOf={(payment) => payment.failure ?? ''}
            />
            <Listed
              title={`${counted(returned.length, 'payment', 'payments')} came back and must be paid again`}
              payments={returned}
              reasonOf={({ failure, returned_on }) =>
                `${returned_on === null ? '' : formatDay(returned_on)}: ${failure ?? ''}`
              }
            />
            <Channels run={run} payments={payments} />
            {files.length > 0 && <FileList run={run} payments={payments} files={files} />}
          </div>
        );
      }}
    </Loaded>
  );
}
