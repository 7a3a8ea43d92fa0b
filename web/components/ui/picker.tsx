// A choice from a list too long for a select: the database searches as the user types.
import type { UseQueryResult } from '@tanstack/react-query';
import { Command } from 'cmdk';
import { Check, ChevronsUpDown, X } from 'lucide-react';
import { Popover } from 'radix-ui';
import { type Ref, useDeferredValue, useEffect, useId, useState } from 'react';
import { cn } from '#web/lib/cn.ts';
import { describeError } from '#web/lib/errors/error-message.ts';
import { Button } from './button.tsx';
import { controlStyles } from './input.tsx';

export type Choice = { id: string; label: string; hint?: string };

export type PickerProps = {
  /** From Field. */
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid'?: true | undefined;
  /** The element to focus, for the form. */
  ref?: Ref<HTMLButtonElement>;
  /** For example "Search accounts". */
  searchLabel: string;
  /** Shown if nothing is chosen. */
  placeholder: string;
  value: Choice | undefined;
  onChange: (choice: Choice | undefined) => void;
  /** A hook that finds the choices for what was typed. */
  useChoices: (
    text: string,
  ) => Pick<UseQueryResult<Choice[]>, 'data' | 'error'> & { isPlaceholderData?: boolean };
};

type SearchProps = Pick<PickerProps, 'searchLabel' | 'useChoices'> & {
  text: string;
  onTextChange: (text: string) => void;
  /** Id of the current choice. */
  chosen: string | undefined;
  onPick: (choice: Choice) => void;
};

function Search({ searchLabel, useChoices, text, onTextChange, chosen, onPick }: SearchProps) {
  const wanted = useDeferredValue(text.trim());
  const { data, error, isPlaceholderData = false } = useChoices(wanted);
  const [marked, setMarked] = useState('');
  // The text for which Enter was pressed before its choices arrived.
  const [entered, setEntered] = useState<string>();
  const isCurrent = data !== undefined && wanted === text.trim() && !isPlaceholderData;
  const [first, second] = data ?? [];
  useEffect(() => {
    if (entered === undefined || !isCurrent) return;
    setEntered(undefined);
    if (entered === wanted && first && !second) onPick(first);
  }, [entered, isCurrent, wanted, first, second, onPick]);
  return (
    <Command
      shouldFilter={false}
      label={searchLabel}
      // cmdk marks nothing when the choices change while it has another one.
      value={data?.some(({ id }) => id === marked) ? marked : (first?.id ?? '')}
      onValueChange={setMarked}
    >
      <Command.Input
        value={text}
        onValueChange={onTextChange}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || isCurrent) return;
          event.preventDefault();
          setEntered(text.trim());
        }}
        placeholder={searchLabel}
        className="h-11 w-full border-b border-line bg-transparent px-3 outline-none"
      />
      <Command.List className="max-h-64 overflow-y-auto p-1">
        {/* Offline, previous results are better than none. */}
        {!data && (
          <p className={cn('p-3 text-sm', error ? 'text-danger' : 'text-muted')}>
            {error ? describeError(error) : 'Searching...'}
          </p>
        )}
        {data?.length === 0 && <p className="p-3 text-sm text-muted">Nothing found.</p>}
        {data?.map((choice) => (
          <Command.Item
            key={choice.id}
            value={choice.id}
            onSelect={() => onPick(choice)}
            className="relative flex min-h-11 cursor-pointer flex-col justify-center rounded-sm py-1.5 pr-9 pl-3 data-[selected=true]:bg-sunken"
          >
            {choice.label}
            {choice.id === chosen && (
              <>
                <span className="sr-only"> (chosen)</span>
                <Check
                  aria-hidden="true"
                  className="absolute top-1/2 right-3 size-4 -translate-y-1/2"
                />
              </>
            )}
            {choice.hint && <span className="text-sm text-muted">{choice.hint}</span>}
          </Command.Item>
        ))}
      </Command.List>
    </Command>
  );
}

export function Picker({
  value,
  onChange,
  useChoices,
  searchLabel,
  placeholder,
  ...control
}: PickerProps) {
  const [isOpen, setOpen] = useState(false);
  const [text, setText] = useState('');
  const valueId = useId();
  return (
    <div className="flex gap-2">
      <Popover.Root open={isOpen} onOpenChange={setOpen}>
        <Popover.Trigger
          type="button"
          {...control}
          // The label names the button; its value is the description.
          aria-describedby={[valueId, control['aria-describedby']].filter(Boolean).join(' ')}
          className={cn(
            controlStyles,
            'flex h-11 items-center justify-between gap-2 px-3 text-left',
          )}
        >
          <span id={valueId} className={cn('truncate', !value && 'text-muted')}>
            {value?.label ?? placeholder}
          </span>
          <ChevronsUpDown aria-hidden="true" className="size-4 shrink-0 text-muted" />
        </Popover.Trigger>
        <Popover.Portal>
          <Popover.Content
            align="start"
            sideOffset={4}
            className="z-60 w-(--radix-popover-trigger-width) min-w-64 rounded-md border border-line-strong bg-raised shadow-overlay"
          >
            <Search
              searchLabel={searchLabel}
              useChoices={useChoices}
              text={text}
              onTextChange={setText}
              chosen={value?.id}
              onPick={(choice) => {
                onChange(choice);
                setOpen(false);
                setText('');
              }}
            />
          </Popover.Content>
        </Popover.Portal>
      </Popover.Root>
      {value && (
        <Button
          variant="ghost"
          size="icon"
          aria-label={`Remove ${value.label}`}
          onClick={() => onChange(undefined)}
        >
          <X aria-hidden="true" className="size-4" />
        </Button>
      )}
    </div>
  );
}
