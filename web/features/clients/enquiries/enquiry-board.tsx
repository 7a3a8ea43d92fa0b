import { CONTACT_MESSAGES_STAGE } from '#shared/database.values.ts';
import { formatMoney } from '#shared/money.ts';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { cn } from '#web/lib/cn.ts';
import { formatDayShort, today } from '#web/lib/format/dates.ts';
import { formatName } from '#web/lib/format/person-name.ts';
import { STATUS_LABELS } from '#web/lib/vocabulary/statuses.ts';
import { type PipelineCard, usePipeline } from './api.ts';

/** @returns the sum of the latest version, for example "$1,274.00 a month" */
function priceOf({ quotes }: PipelineCard): string | undefined {
  const latest = quotes
    .filter(({ status }) => status !== 'superseded')
    .sort((a, b) => b.version - a.version)[0];
  return latest && `${formatMoney(latest.total, latest.currency)} a month`;
}

function NextAction({ card }: { card: PipelineCard }) {
  const { next_action, next_action_on, lost_reason } = card;
  if (lost_reason) return <p className="text-sm text-muted">{lost_reason}</p>;
  if (next_action === null || next_action_on === null) return null;
  const isDue = next_action_on <= today();
  return (
    <p className={cn('text-sm', isDue ? 'font-semibold text-danger' : 'text-muted')}>
      {next_action}, {isDue && 'due '}
      {formatDayShort(next_action_on)}
    </p>
  );
}

type BoardProps = { onOpen: (id: string) => void };

function Card({ card, onOpen }: BoardProps & { card: PipelineCard }) {
  const price = priceOf(card);
  return (
    <li className="relative grid gap-1 rounded-sm border border-line bg-raised p-3 hover:border-ink/60">
      <button
        type="button"
        className="min-h-6 text-left font-semibold break-words after:absolute after:inset-0"
        onClick={() => onOpen(card.id)}
      >
        {card.company ?? card.name}
      </button>
      {card.company && <p className="text-sm text-muted">{card.name}</p>}
      {price && <p className="text-sm font-semibold tabular-nums">{price}</p>}
      <NextAction card={card} />
      {card.owner && (
        <p className="truncate text-sm text-muted">
          <span className="sr-only">Owner: </span>
          {formatName(card.owner)}
        </p>
      )}
    </li>
  );
}

/** A column for each stage, one below the other on phones. */
export function EnquiryBoard({ onOpen }: BoardProps) {
  return (
    <Loaded
      query={usePipeline()}
      loadingText="Loading enquiries..."
      missing="The board could not be loaded"
    >
      {(cards) => (
        <div className="grid gap-4 md:grid-cols-2 lg:grid-cols-5">
          {CONTACT_MESSAGES_STAGE.map((stage) => {
            const ofStage = cards.filter((card) => card.stage === stage);
            return (
              <section
                key={stage}
                aria-label={STATUS_LABELS[stage]}
                className="min-w-0 rounded-sm bg-sunken p-3"
              >
                <h3 className="mb-3 flex items-baseline justify-between gap-2 font-semibold">
                  {STATUS_LABELS[stage]}
                  <span className="text-sm text-muted tabular-nums">{ofStage.length}</span>
                </h3>
                {ofStage.length === 0 ? (
                  <p className="text-sm text-muted">None</p>
                ) : (
                  <ul className="grid gap-2">
                    {ofStage.map((card) => (
                      <Card key={card.id} card={card} onOpen={onOpen} />
                    ))}
                  </ul>
                )}
              </section>
            );
          })}
        </div>
      )}
    </Loaded>
  );
}
