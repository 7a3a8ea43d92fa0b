import { formatCount } from '#shared/count.ts';
import { centsToNumber, formatDollars, parseCents } from '#shared/money.ts';
import { ConfirmDialog } from '#web/components/ui/confirm-dialog.tsx';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { showError, showSuccess } from '#web/components/ui/toast.ts';
import { describeError } from '#web/lib/errors/error-message.ts';
import { formatMonths, today } from '#web/lib/format/dates.ts';
import { findPeriod, stepPeriod } from '#web/lib/format/pay-periods.ts';
import {
  type ClientFigures,
  type OpenedContract,
  useClientFigures,
  useCoverage,
  useSaveFigures,
} from './api.ts';
import { type CoverageRow, monthlyCost } from './rules.ts';

const TITLE = 'Update Client';

type FigureProps = { name: string; before: string; after: string };

function Figure({ name, before, after }: FigureProps) {
  return (
    <tr className="border-t border-line">
      <th scope="row" className="py-2.5 pr-4 text-left font-normal">
        {name}
      </th>
      <td className="py-2.5 pl-4 text-right text-muted tabular-nums">{before}</td>
      <td className="py-2.5 pl-4 text-right font-semibold tabular-nums">
        {before === after ? 'Same' : after}
      </td>
    </tr>
  );
}

type QuestionProps = OpenedContract & {
  client: ClientFigures & { name: string };
  coverage: CoverageRow[];
  month: string;
  onClose: () => void;
};

function Question({ contract, posts, rates, client, coverage, month, onClose }: QuestionProps) {
  const { mutateAsync } = useSaveFigures();
  const isDollars = contract.currency === 'USD';
  const cost = isDollars ? monthlyCost(posts, rates, coverage, today()) : undefined;
  const next: ClientFigures = {
    id: client.id,
    number_of_guards: contract.agreed_headcount ?? client.number_of_guards,
    monthly_rate: cost === undefined ? client.monthly_rate : centsToNumber(cost),
  };
  const isSame =
    next.number_of_guards === client.number_of_guards &&
    parseCents(next.monthly_rate) === parseCents(client.monthly_rate);
  async function update() {
    await mutateAsync(next);
    const { id, number_of_guards, monthly_rate } = client;
    const undo = () =>
      void mutateAsync({ id, number_of_guards, monthly_rate })
        .then(() => showSuccess('Client restored'))
        .catch((error: unknown) => showError('Error', describeError(error)));
    showSuccess('Client updated successfully', undefined, { label: 'Undo', onPress: undo });
  }
  return (
    <ConfirmDialog
      title={TITLE}
      question={`Take over these figures for ${client.name} on the Clients screen?`}
      confirmLabel="Update"
      busyLabel="Updating..."
      variant="primary"
      failure="Client not updated"
      isDisabled={isSame}
      onConfirm={update}
      onClose={onClose}
    >
      <table className="w-full">
        <thead className="text-sm text-muted">
          <tr>
            <td />
            <th scope="col" className="pb-2 pl-4 text-right">
              Now
            </th>
            <th scope="col" className="pb-2 pl-4 text-right">
              From this contract
            </th>
          </tr>
        </thead>
        <tbody>
          <Figure
            name="Number of Guards"
            before={formatCount(client.number_of_guards)}
            after={formatCount(next.number_of_guards)}
          />
          <Figure
            name="Monthly Rate"
            before={formatDollars(client.monthly_rate)}
            after={formatDollars(next.monthly_rate)}
          />
        </tbody>
      </table>
      <ul className="mt-3 grid list-disc gap-1 pl-5 text-sm text-muted">
        <li>
          {contract.agreed_headcount === null
            ? 'The contract states no number of guards.'
            : 'The guards agreed in the contract.'}
        </li>
        <li>
          {!isDollars && 'The Clients screen counts in US dollars, and the contract does not.'}
          {isDollars &&
            (cost === undefined
              ? 'An hour of the contract has no regular rate yet.'
              : `Monthly amounts, and for other posts the required hours of ${month} at today’s regular rate.`)}
        </li>
      </ul>
    </ConfirmDialog>
  );
}

type ClientFiguresDialogProps = OpenedContract & { onClose: () => void };

/** Takes guards and monthly rate of the Clients screen from the contract, after showing both. */
export function ClientFiguresDialog(props: ClientFiguresDialogProps) {
  const { client_id: clientId } = props.contract;
  const { start, end } = findPeriod('monthly', stepPeriod('monthly', today(), -1));
  const figures = useClientFigures(clientId);
  const coverage = useCoverage(clientId, { start, end });
  if (figures.data && coverage.data) {
    return (
      <Question
        {...props}
        client={figures.data}
        coverage={coverage.data}
        month={formatMonths(start, end)}
      />
    );
  }
  return (
    <Dialog open onOpenChange={props.onClose} title={TITLE}>
      {figures.data ? (
        <Loaded query={coverage} loadingText="Loading the figures...">
          {() => null}
        </Loaded>
      ) : (
        <Loaded query={figures} loadingText="Loading the figures...">
          {() => null}
        </Loaded>
      )}
    </Dialog>
  );
}
