import { Info } from 'lucide-react';
import { Popover } from 'radix-ui';
import { Button } from './button.tsx';

type ExplainedProps = {
  /** Name of the button, for example "What the figures mean". */
  label: string;
  words: readonly (readonly [word: string, meaning: string])[];
};

/** A button that explains the words of the figures beside it, by mouse, finger and keyboard. */
export function Explained({ label, words }: ExplainedProps) {
  return (
    <Popover.Root>
      <Popover.Trigger asChild>
        <Button variant="ghost" size="icon" title={label} aria-label={label}>
          <Info aria-hidden="true" className="size-4.5" />
        </Button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="start"
          collisionPadding={8}
          aria-label={label}
          className="z-50 max-h-(--radix-popover-content-available-height) w-88 max-w-[calc(100vw-1rem)] overflow-y-auto rounded-sm border border-line bg-raised p-4 text-ink shadow-overlay"
        >
          <dl className="grid gap-2 text-sm">
            {words.map(([word, meaning]) => (
              <div key={word}>
                <dt className="font-semibold">{word}</dt>
                <dd className="text-muted first-letter:uppercase">{meaning}</dd>
              </div>
            ))}
          </dl>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
