import { Ban, TriangleAlert } from 'lucide-react';
import { useId, useState } from 'react';
import { SearchField } from '#web/components/list/filters.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Checkbox } from '#web/components/ui/checkbox.tsx';
import { cn } from '#web/lib/cn.ts';
import type { GuardAvailability } from './assignment-api.ts';

/** Few enough to render at once on a slow phone. */
const STEP = 20;

type GuardChoicesProps = {
  choices: GuardAvailability[];
  marked: ReadonlySet<string>;
  onToggle: (userId: string) => void;
};

const rank = ({ conflict, warnings }: GuardAvailability) =>
  conflict === null ? Math.min(warnings.length, 1) : 2;

/** Guards whose name contains every word of the text: available first, then with warnings, then with conflicts. */
function findGuards(choices: GuardAvailability[], text: string): GuardAvailability[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return choices
    .filter(({ full_name }) => words.every((word) => full_name.toLowerCase().includes(word)))
    .sort((a, b) => rank(a) - rank(b));
}

type ChoiceProps = { guard: GuardAvailability; isMarked: boolean; onToggle: () => void };

function Choice({ guard, isMarked, onToggle }: ChoiceProps) {
  const id = useId();
  const { full_name, conflict, warnings } = guard;
  const isUnavailable = conflict !== null;
  return (
    <li className="relative flex min-h-11 items-start gap-3 py-2 has-checked:bg-sunken">
      <Checkbox
        id={id}
        checked={isMarked && !isUnavailable}
        disabled={isUnavailable}
        onChange={onToggle}
        aria-describedby={isUnavailable || warnings.length > 0 ? `${id}-notes` : undefined}
      />
      <div className="min-w-0">
        <label htmlFor={id} className={cn(isUnavailable && 'text-muted')}>
          {full_name}
        </label>
        <div id={`${id}-notes`} className="text-sm">
          {isUnavailable && (
            <p className="flex items-center gap-1.5 text-danger">
              <Ban aria-hidden="true" className="size-3.5 shrink-0" />
              {conflict}
            </p>
          )}
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

export function GuardChoices({ choices, marked, onToggle }: GuardChoicesProps) {
  const [text, setText] = useState('');
  const [shown, setShown] = useState(STEP);
  const matches = findGuards(choices, text);
  const free = matches.filter(({ conflict }) => conflict === null).length;
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
            isMarked={marked.has(guard.user_id)}
            onToggle={() => onToggle(guard.user_id)}
          />
        ))}
      </ul>
      {matches.length > shown && (
        <Button
          variant="secondary"
          className="justify-self-start"
          onClick={() => setShown(shown + STEP)}
        >
          Show more
        </Button>
      )}
    </div>
  );
}
