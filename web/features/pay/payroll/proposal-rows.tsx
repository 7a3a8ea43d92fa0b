import { useSave } from '#web/components/form/use-save.ts';
import { Button } from '#web/components/ui/button.tsx';
import { formatDay } from '#web/lib/format/dates.ts';
import { formatName } from '#web/lib/format/person-name.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import { OTHER_PAYERS } from '#web/lib/vocabulary/deciders.ts';
import { formatRate, formatRateName, type Proposal } from './rate-schema.ts';
import { proposals as records, useApproveRate } from './rates-api.ts';

function ProposalRow({ proposal }: { proposal: Proposal }) {
  const { user } = useAuth();
  const approval = useApproveRate();
  const withdrawal = records.useDelete();
  const approving = useSave({ success: 'Rate approved', failure: 'Rate not approved' });
  const withdrawing = useSave({ success: 'Proposal withdrawn', failure: 'Proposal not withdrawn' });
  const isOwn = proposal.created_by === user?.id;
  const name = `${formatRateName(proposal)}, ${formatRate(proposal)}`;
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 py-2">
      <div className="min-w-48 flex-1">
        <p>
          {formatRateName(proposal)}: <strong>{formatRate(proposal)}</strong>
        </p>
        <p className="text-sm text-muted">
          From {formatDay(proposal.effective_from)}. {proposal.source}
        </p>
        <p className="text-sm text-muted">
          {isOwn
            ? `You proposed it, so someone else must approve it: ${OTHER_PAYERS}.`
            : `Proposed by ${formatName(proposal.profiles)}.`}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button
          variant="danger-ghost"
          aria-label={`Withdraw ${name}`}
          busy={withdrawing.busy}
          onClick={() => void withdrawing.save(() => withdrawal.mutateAsync(proposal.id))}
        >
          Withdraw
        </Button>
        {!isOwn && (
          <Button
            aria-label={`Approve ${name}`}
            busy={approving.busy}
            onClick={() => void approving.save(() => approval.mutateAsync(proposal.id))}
          >
            {approving.busy ? 'Approving...' : 'Approve'}
          </Button>
        )}
      </div>
    </li>
  );
}

/** Rates that wait for a second person. */
export function ProposalRows({ proposals }: { proposals: Proposal[] }) {
  if (proposals.length === 0) return null;
  return (
    <section aria-label="Rates waiting for approval" className="border-b-2 border-line-strong pb-2">
      <h3 className="font-semibold">Waiting for Approval</h3>
      {proposals.some(({ kind }) => kind === 'income_tax') && (
        <p className="text-sm text-muted">
          Approving a band of income tax approves all bands proposed from its day.
        </p>
      )}
      <ul className="divide-y divide-line">
        {proposals.map((proposal) => (
          <ProposalRow key={proposal.id} proposal={proposal} />
        ))}
      </ul>
    </section>
  );
}
