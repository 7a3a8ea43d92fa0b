import { Ban, ShieldAlert, TriangleAlert } from 'lucide-react';
import { useId, useState } from 'react';
import { hasWords, searchWords } from '#shared/search-text.ts';
import { SearchField } from '#web/components/list/filters.tsx';
import { MoreButton } from '#web/components/list/pager.tsx';
import { Checkbox } from '#web/components/ui/checkbox.tsx';
import { cn } from '#web/lib/cn.ts';
import type { GuardAvailability } from './assignment-api.ts';

/** Few enough to render at once on a slow phone. */
const STEP = 20;

type GuardChoicesProps = {
  choices: GuardAvailability[];
  /** Whether the user may assign guards against some rules, with a reason. */
  mayOverride: boolean;
  marked: ReadonlySet<string>;
  onToggle: (userId: string) => void;
};

/** Whether nothing but rules that can be overridden speaks against the guard, if the user may override them. */
export const isChoosable = ({ conflict, problems }: GuardAvailability, mayOverride: boolean) =>
  conflict === null && problems.every(({ can_override }) => can_override && mayOverride);

function rank({ conflict, problems, warnings }: GuardAvailability): number {
  if (conflict !== null) return 4;
  if (problems.length > 0) return problems.every(({ can_override }) => can_override) ? 2 : 3;
  return Math.min(warnings.length, 1);
}

/** Guards whose name contains every word of the text: available first, then with warnings, then with conflicts. */
function findGuards(choices: GuardAvailability[], text: string): GuardAvailability[] {
  const words = searchWords(text);
  return choices
    .filter(({ full_name }) => hasWords(full_name, words))
    .sort((a, b) => rank(a) - rank(b));
}

type ChoiceProps = {
  guard: GuardAvailability;
  mayOverride: boolean;
  isMarked: boolean;
  onToggle: () => void;
};

function Choice({ guard, mayOverride, isMarked, onToggle }: ChoiceProps) {
  const id = useId();
  const { full_name, conflict, problems } = guard;
  const isUnavailable = !isChoosable(guard, mayOverride);
  const warnings = guard.warnings.filter((text) =>
    problems.every(({ message }) => message !== text),
  );
  const hasNotes = conflict !== null || problems.length > 0 || warnings.length > 0;
  return (
    <li className="relative flex min-h-11 items-start gap-3 py-2 has-checked:bg-sunken">
      <Checkbox
        id={id}
        checked={isMarked && !isUnavailable}
        disabled={isUnavailable}
        onChange={onToggle}
        aria-describedby={hasNotes ? `${id}-notes` : undefined}
      />
      <div className="min-w-0">
        <label htmlFor={id} className={cn(isUnavailable && 'text-muted')}>
          {full_name}
        </label>
        <div id={`${id}-notes`} className="text-sm">
          {conflict !== null && (
            <p className="flex items-center gap-1.5 text-danger">
              <Ban aria-hidden="true" className="size-3.5 shrink-0" />
              {conflict}
            </p>
          )}
          {problems.map(({ rule, message, can_override }) => (
            <p
              key={rule}
              className={cn(
                'flex items-center gap-1.5',
                isUnavailable ? 'text-danger' : 'text-warning',
              )}
            >
              {can_override ? (
                <ShieldAlert aria-hidden="true" className="size-3.5 shrink-0" />
              ) : (
                <Ban aria-hidden="true" className="size-3.5 shrink-0" />
              )}
              {message}
              {!isUnavailable && <span className="sr-only">, needs a reason</span>}
            </p>
          ))}
          {warnings.map((warning) => (
            <p key={warning} className="flex items-center gap-1.5 text-warning">
              <TriangleAlert aria-hidden="true" className="size-3.5 shrink-0" />
              {warning}
            </p>
          ))}
        </div>
      </div>
    </li>
  );
}

export function GuardChoices({ choices, mayOverride, marked, onToggle }: GuardChoicesProps) {
  const [text, setText] = useState('');
  const [shown, setShown] = useState(STEP);
  const matches = findGuards(choices, text);
  const free = matches.filter(
    ({ conflict, problems }) => conflict === null && problems.length === 0,
  ).length;
  return (
    <div className="grid gap-2">
      <SearchField label="Search guards" value={text} onSearch={setText} />
      <p role="status" className="text-sm text-muted">
        {matches.length === 0
          ? 'No guards match.'
          : `${free} of ${matches.length} can work this shift`}
      </p>
      <ul aria-label="Guards" className="divide-y divide-line">
        {matches.slice(0, shown).map((guard) => (
          <Choice
            key={guard.user_id}
            guard={guard}
            mayOverride={mayOverride}
            isMarked={marked.has(guard.user_id)}
            onToggle={() => onToggle(guard.user_id)}
          />
        ))}
      </ul>
      {matches.length > shown && <MoreButton onPress={() => setShown(shown + STEP)} />}
    </div>
  );
}
