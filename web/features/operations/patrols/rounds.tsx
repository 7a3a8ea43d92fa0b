import { Badge } from '#web/components/ui/badge.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { Panel } from '#web/components/ui/panel.tsx';
import { formatTime } from '#web/lib/format/dates.ts';
import { describeRound, FLAGS, type Round, type Scan, useLooseScans, useRounds } from './api.ts';

type ScanRowProps = {
  scan: Pick<Scan, 'guard' | 'scanned_at' | 'distance_m' | 'flags'>;
  /** The checkpoint, or the text that was read. */
  label: string;
  zone: string | undefined;
};

function ScanRow({ scan, label, zone }: ScanRowProps) {
  const { guard, scanned_at, distance_m, flags } = scan;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-1.5 text-sm">
      <span className="w-20 tabular-nums">{formatTime(scanned_at, zone)}</span>
      <span className="min-w-0 font-semibold [overflow-wrap:anywhere]">{label}</span>
      <span className="min-w-0 text-muted [overflow-wrap:anywhere]">{guard}</span>
      {flags.map((flag) => (
        <Badge key={flag} tone="orange">
          {FLAGS[flag]}
          {flag === 'too_far' && distance_m !== null && ` (${distance_m} m)`}
        </Badge>
      ))}
    </li>
  );
}

type RoundRowProps = { round: Round; hasSite: boolean };

function RoundRow({ round, hasSite }: RoundRowProps) {
  const [label, tone] = describeRound(round);
  const flagged = round.scans.filter(({ flags }) => flags.length > 0).length;
  const head = (
    <span className="grid min-w-0 flex-1 grid-cols-[5rem_minmax(0,1fr)_auto] items-center gap-x-3">
      <span className="font-semibold tabular-nums">{formatTime(round.due_at, round.timezone)}</span>
      <span className="min-w-0 break-words">
        <span className="font-semibold">{round.name}</span>
        {hasSite && (
          <>
            {' '}
            <span className="text-muted max-sm:block max-sm:text-sm">{round.site_name}</span>
          </>
        )}
      </span>
      <span className="flex flex-wrap justify-end gap-2 max-sm:max-w-32">
        {flagged > 0 && <Badge tone="orange">{flagged} flagged</Badge>}
        <Badge tone={tone}>{label}</Badge>
      </span>
    </span>
  );
  if (round.scans.length === 0)
    return <li className="flex min-h-11 items-center py-1.5">{head}</li>;
  return (
    <li>
      <details>
        <summary className="flex min-h-11 cursor-pointer items-center py-1.5">{head}</summary>
        <ul aria-label={`Scans of ${round.name}`} className="mb-2 border-l-2 border-line pl-4">
          {round.scans.map((scan) => (
            <ScanRow
              key={scan.id}
              scan={scan}
              label={scan.checkpoint ?? 'Former checkpoint'}
              zone={round.timezone}
            />
          ))}
        </ul>
      </details>
    </li>
  );
}

export function Rounds({ day, site }: { day: string; site: string | undefined }) {
  return (
    <Panel title="Rounds of the day">
      <Loaded query={useRounds(day, site)} loadingText="Loading rounds...">
        {(rounds) =>
          rounds.length === 0 ? (
            <p className="py-4 text-muted">No tour is planned in the shifts of this day.</p>
          ) : (
            <ul className="divide-y divide-line border-y border-line">
              {rounds.map((round) => (
                <RoundRow
                  key={`${round.tour_id} ${round.due_at}`}
                  round={round}
                  hasSite={site === undefined}
                />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Panel>
  );
}

/** Nothing while there are none: most days have only rounds. */
export function LooseScans({ day, site }: { day: string; site: string | undefined }) {
  const query = useLooseScans(day, site);
  if (query.data?.length === 0) return null;
  return (
    <Panel title="Scans outside a round">
      <Loaded query={query} loadingText="Loading scans...">
        {(scans) => (
          <ul
            aria-label="Scans outside a round"
            className="divide-y divide-line border-y border-line"
          >
            {scans.map((scan) => (
              <ScanRow
                key={scan.id}
                scan={scan}
                label={[
                  scan.checkpoint ?? `Code ${scan.code ?? 'not readable'}`,
                  scan.site_name ?? 'Unknown site',
                ].join(', ')}
                zone={scan.timezone ?? undefined}
              />
            ))}
          </ul>
        )}
      </Loaded>
    </Panel>
  );
}
