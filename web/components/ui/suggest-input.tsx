// Free text with suggestions from the database.
import type { UseQueryResult } from '@tanstack/react-query';
import { Popover } from 'radix-ui';
import { type KeyboardEvent, type Ref, useDeferredValue, useId, useState } from 'react';
import { cn } from '#web/lib/cn.ts';
import { Input } from './input.tsx';
import type { Choice } from './picker.tsx';

type SuggestInputProps = {
  /** From Field. */
  id: string;
  'aria-invalid': true | undefined;
  'aria-describedby': string | undefined;
  /** Name of the suggestions for screen readers, for example "Clients". */
  label: string;
  /** Lets a form put the focus here. */
  ref: Ref<HTMLInputElement>;
  name: string;
  value: string;
  /** @param choice undefined if the text was typed */
  onChange: (text: string, choice: Choice | undefined) => void;
  onBlur: () => void;
  /** A hook that finds suggestions for the text, if `isWanted`. */
  useChoices: (text: string, isWanted: boolean) => UseQueryResult<Choice[]>;
};

export function SuggestInput(props: SuggestInputProps) {
  const { label, value, onChange, useChoices, ...control } = props;
  const listId = useId();
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const wanted = useDeferredValue(value.trim());
  const { data: choices = [], isPlaceholderData } = useChoices(wanted, isOpen);
  const isShown = isOpen && choices.length > 0;
  const optionId = (index: number) => `${listId}-${index}`;

  function open(shouldOpen: boolean) {
    setOpen(shouldOpen);
    setActive(-1);
  }
  function pick(choice: Choice) {
    onChange(choice.label, choice);
    open(false);
  }
  function press(event: KeyboardEvent) {
    // Suggestions for an earlier text are not what was meant.
    const isCurrent = wanted === value.trim() && !isPlaceholderData;
    const only = isCurrent && choices.length === 1 ? choices[0] : undefined;
    const chosen = choices[active] ?? only;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      const step = event.key === 'ArrowDown' ? 1 : -1;
      if (!isOpen) open(true);
      // The text itself is one more position.
      else setActive(((active + 1 + step + choices.length + 1) % (choices.length + 1)) - 1);
    } else if (event.key === 'Enter' && isShown && chosen) {
      // Chooses; the next Enter submits the form.
      event.preventDefault();
      pick(chosen);
    } else if (event.key === 'Tab') open(false);
  }
  return (
    <Popover.Root open={isShown} onOpenChange={open}>
      <Popover.Anchor asChild>
        <Input
          {...control}
          role="combobox"
          aria-autocomplete="list"
          aria-expanded={isShown}
          aria-controls={isShown ? listId : undefined}
          aria-activedescendant={isShown && active >= 0 ? optionId(active) : undefined}
          autoComplete="off"
          value={value}
          onChange={({ target }) => {
            onChange(target.value, undefined);
            open(target.value.trim() !== '');
          }}
          onKeyDown={press}
        />
      </Popover.Anchor>
      <Popover.Portal>
        <Popover.Content
          align="start"
          sideOffset={4}
          // The input keeps the focus, and pressing it is not a press outside.
          onOpenAutoFocus={(event) => event.preventDefault()}
          onCloseAutoFocus={(event) => event.preventDefault()}
          role="presentation"
          className="z-60 w-(--radix-popover-trigger-width) min-w-64 rounded-md border border-line-strong bg-raised shadow-overlay"
        >
          <div
            id={listId}
            role="listbox"
            aria-label={label}
            className="max-h-64 overflow-y-auto p-1"
          >
            {choices.map((choice, index) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the text field holds the keys (ARIA combobox).
              <div
                key={choice.id}
                id={optionId(index)}
                role="option"
                tabIndex={-1}
                aria-selected={index === active}
                // The input keeps the focus.
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => pick(choice)}
                className={cn(
                  'flex min-h-11 cursor-pointer flex-col justify-center rounded-sm px-3 py-1.5 hover:bg-sunken',
                  index === active && 'bg-sunken',
                )}
              >
                {choice.label}
                {choice.hint && <span className="text-sm text-muted">{choice.hint}</span>}
              </div>
            ))}
          </div>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
