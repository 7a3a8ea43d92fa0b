import { useState } from 'react';
import { hasWords, searchWords } from '#shared/search-text.ts';
import { Input } from '#web/components/ui/input.tsx';
import { formatTime } from '#web/lib/format/dates.ts';
import { formatInitials } from '#web/lib/format/person-name.ts';
import type { KioskPerson } from './people.ts';

/** From so many names on there is a search. */
const MANY = 8;

type PeopleScreenProps = {
  people: KioskPerson[];
  zone: string;
  onPick: (person: KioskPerson) => void;
};

const STATES = { none: '', in: 'Clocked in', out: 'Clocked out' } as const;

export function PeopleScreen({ people, zone, onPick }: PeopleScreenProps) {
  const [typed, setTyped] = useState('');
  const words = searchWords(typed);
  const shown = people.filter(({ name }) => hasWords(name, words));
  return (
    <main className="mx-auto w-full max-w-5xl px-4 py-6 sm:px-8">
      <h1 className="font-display text-3xl">Who are you?</h1>
      {people.length >= MANY && (
        <Input
          type="search"
          aria-label="Search names"
          placeholder="Search names"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          autoComplete="off"
          className="mt-4 h-14 text-lg"
        />
      )}
      {shown.length === 0 && (
        <p className="mt-8 text-lg text-muted">
          {words ? 'No name matches.' : 'No guard is due at this site now.'}
        </p>
      )}
      <ul className="mt-5 grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
        {shown.map((person) => (
          <li key={person.assignment_id}>
            <button
              type="button"
              onClick={() => onPick(person)}
              className="flex min-h-20 w-full items-center gap-4 rounded-sm border border-line bg-raised p-4 text-left shadow-panel hover:border-accent-fill"
            >
              <span
                aria-hidden="true"
                className="grid size-12 shrink-0 place-items-center rounded-full bg-accent-fill/20 text-lg font-semibold text-accent"
              >
                {formatInitials(person.name)}
              </span>
              <span className="min-w-0">
                <span className="block text-lg leading-tight font-semibold [overflow-wrap:anywhere]">
                  {person.name}
                </span>
                <span className="block text-muted tabular-nums">
                  {formatTime(person.start_time, zone)} - {formatTime(person.end_time, zone)}
                </span>
                {person.state !== 'none' && (
                  <span
                    className={
                      person.state === 'in'
                        ? 'block font-semibold text-success'
                        : 'block text-muted'
                    }
                  >
                    {STATES[person.state]}
                  </span>
                )}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </main>
  );
}
