// A search that runs while one types, a moment after the last key.
import { Search } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { Input } from '#web/components/ui/input.tsx';

/** Long enough to type the next letter. */
const PAUSE_MS = 250;

type SearchFieldProps = {
  label: string;
  /** What is being searched for now; a change from outside (the back button) shows in the field. */
  value: string;
  onSearch: (text: string) => void;
};

export function SearchField({ label, value, onSearch }: SearchFieldProps) {
  const id = useId();
  const [typed, setTyped] = useState(value);
  const [shown, setShown] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const waits = useRef(false);

  // Searched for something else meanwhile, and not from here.
  if (shown !== value) {
    setShown(value);
    if (value !== typed.trim()) setTyped(value);
  }
  useEffect(() => () => clearTimeout(timer.current), []);

  function type(text: string) {
    setTyped(text);
    clearTimeout(timer.current);
    waits.current = true;
    timer.current = setTimeout(() => search(text), PAUSE_MS);
  }
  function search(text: string) {
    clearTimeout(timer.current);
    if (!waits.current) return;
    waits.current = false;
    onSearch(text.trim());
  }
  return (
    <div className="relative min-w-0 flex-1 basis-64 sm:max-w-md">
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <Search
        aria-hidden="true"
        className="pointer-events-none absolute top-1/2 left-3 size-4.5 -translate-y-1/2 text-muted"
      />
      <Input
        id={id}
        type="search"
        autoComplete="off"
        maxLength={200}
        placeholder={label}
        value={typed}
        onChange={(event) => type(event.target.value)}
        // At once when one goes on: a search that ran later would lead back from the screen gone to.
        onBlur={() => search(typed)}
        className="pl-10"
      />
    </div>
  );
}
