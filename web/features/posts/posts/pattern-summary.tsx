import { CircleCheck, TriangleAlert } from 'lucide-react';
import { useDeferredValue } from 'react';
import { type Cycle, mostAtOnce } from '#shared/demand/cycle.ts';
import {
  guardsNeeded,
  type Judgement,
  judgePattern,
  rotationsFor,
  toLines,
} from '#shared/demand/guards-needed.ts';
import { cn } from '#web/lib/cn.ts';
import { useLimits } from './api.ts';
import { roundedFigure } from './figures.ts';

function Figure({ label, value, hint }: { label: string; value: string; hint: string }) {
  return (
    <div>
      <dt className="text-sm text-muted">{label}</dt>
      <dd>
        <output className="font-display text-2xl tabular-nums">{value}</output>
        <p className="text-sm text-muted">{hint}</p>
      </dd>
    </div>
  );
}

function Verdict({ name, judgement }: { name: string; judgement: Judgement }) {
  const { isLawful, problems } = judgement;
  const Icon = isLawful ? CircleCheck : TriangleAlert;
  return (
    <li className="flex gap-2">
      <Icon
        aria-hidden="true"
        className={cn('mt-0.5 size-4 shrink-0', isLawful ? 'text-success' : 'text-danger')}
      />
      <span>
        <span className="font-semibold">{name}</span>{' '}
        {problems.length > 0
          ? problems.join('; ')
          : `averages ${roundedFigure(judgement.hours)} h a week: within the limits`}
      </span>
    </li>
  );
}

/** Hours, guards and what the law says, while the pattern is drawn. */
export function PatternSummary({ cycle }: { cycle: Cycle }) {
  const limits = useLimits();
  const shown = useDeferredValue(cycle);
  const needed = guardsNeeded(shown, limits);
  const lines = toLines(shown);
  return (
    <aside aria-label="What this takes" className="grid gap-5 rounded-md bg-sunken p-5">
      <dl aria-live="polite" className="grid grid-cols-2 gap-4 lg:grid-cols-1">
        <Figure
          label="Hours a week"
          value={roundedFigure(needed.hours)}
          hint={`${mostAtOnce(shown)} on duty at most`}
        />
        <Figure
          label="Guards needed"
          value={roundedFigure(needed.total)}
          hint={`${roundedFigure(needed.working)} to cover ${limits.week_hours} h weeks with their rest, ${roundedFigure(needed.cover)} for leave, sickness and training`}
        />
      </dl>
      {lines.slice(0, 4).map((line) => (
        <div key={line.label}>
          <h4 className="mb-1.5 text-sm font-semibold">One person on {line.label}</h4>
          <ul className="grid gap-1.5 text-sm">
            <Verdict
              name="Every time:"
              judgement={judgePattern({ cycle_days: shown.cycle_days, slots: line.slots }, limits)}
            />
            {rotationsFor(line, limits).map(({ name, judgement }) => (
              <Verdict key={name} name={`${name}:`} judgement={judgement} />
            ))}
          </ul>
        </div>
      ))}
      {lines.length > 4 && (
        <p className="text-sm text-muted">And {lines.length - 4} more times of day.</p>
      )}
    </aside>
  );
}
