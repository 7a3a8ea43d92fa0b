import { Command } from 'cmdk';
import { CornerDownRight, type LucideIcon, Plus } from 'lucide-react';
import { useDeferredValue, useEffect, useState } from 'react';
import { hasWords, searchWords } from '#shared/search-text.ts';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { describeError } from '#web/lib/errors/error-message.ts';
import { formatDateTime } from '#web/lib/format/dates.ts';
import { type Found, useFoundRecords } from './api.ts';

export type FinderScreen = { path: string; label: string; Icon: LucideIcon };
/** A screen below those of the sidebar, or a form that opens at once. */
export type FinderCommand = { path: string; label: string; isAction: boolean };

export type FinderProps = {
  text: string;
  onTextChange: (text: string) => void;
  /** The screens that the user may open. */
  screens: FinderScreen[];
  /** Shown as soon as something is typed. */
  commands: FinderCommand[];
  /** The address of a record; undefined if the user may not open its screen. */
  addressOf: (found: Found) => string | undefined;
  onGo: (address: string) => void;
  onClose: () => void;
};

const KINDS = [
  ['client', 'Clients'],
  ['site', 'Sites'],
  ['guard', 'People'],
  ['shift', 'Shifts'],
  ['invoice', 'Invoices'],
] as const;

/** Records shown of each kind. The database returns one more if there are more. */
const SHOWN = 20;

const itemStyles =
  'flex min-h-11 cursor-pointer items-center gap-3 rounded-sm px-3 py-1.5 data-[selected=true]:bg-sunken';
const groupStyles =
  '[&_[cmdk-group-heading]]:px-3 [&_[cmdk-group-heading]]:pt-3 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-sm [&_[cmdk-group-heading]]:text-muted';

type ScreenItemProps = FinderScreen & { onGo: (address: string) => void };

function ScreenItem({ path, label, Icon, onGo }: ScreenItemProps) {
  return (
    <Command.Item value={path} onSelect={() => onGo(path)} className={itemStyles}>
      <Icon aria-hidden="true" className="size-4.5 shrink-0 text-accent" />
      {label}
    </Command.Item>
  );
}

function detailOf({ detail, start_time, timezone }: Found): string {
  const start = start_time && timezone ? formatDateTime(start_time, timezone) : undefined;
  return [start, detail].filter(Boolean).join(' · ');
}

export function FinderDialog(props: FinderProps) {
  const { text, onTextChange, screens, commands, addressOf, onGo, onClose } = props;
  // Only the records are deferred: Enter right after typing must not open a screen that no longer matches.
  const words = searchWords(text);
  const isNamed = ({ label }: { label: string }) => hasWords(label, words);
  const deferredText = useDeferredValue(text.trim());
  const { data = [], error, isFetching, isPlaceholderData } = useFoundRecords(deferredText);
  const namedCommands = text.trim() === '' ? [] : commands.filter(isNamed);
  const namedScreens: (FinderCommand | FinderScreen)[] = [
    ...screens.filter(isNamed),
    ...namedCommands.filter(({ isAction }) => !isAction),
  ];
  const actions = namedCommands.filter(({ isAction }) => isAction);
  const records = deferredText === '' ? [] : data;
  const isEmpty = namedScreens.length + actions.length === 0 && records.length === 0;
  const addresses = new Map([
    ...[...namedScreens, ...actions].map(({ path }) => [path, path] as const),
    ...KINDS.flatMap(([kind]) =>
      records.flatMap((found) => {
        const address = found.kind === kind ? addressOf(found) : undefined;
        return address === undefined ? [] : [[found.id, address] as const];
      }),
    ),
  ]);
  const [marked, setMarked] = useState('');
  // The text for which Enter was pressed before its records arrived.
  const [entered, setEntered] = useState<string>();
  const isCurrent = deferredText === text.trim() && !isPlaceholderData && !isFetching;
  const mayWait = namedScreens.length + actions.length === 0 && !isCurrent;
  useEffect(() => {
    if (entered === undefined || !isCurrent) return;
    setEntered(undefined);
    const [only, second] = addresses.values();
    if (entered === deferredText && only !== undefined && second === undefined) onGo(only);
  });
  const [first = ''] = addresses.keys();
  return (
    <Dialog open onOpenChange={onClose} title="Go to">
      <Command
        shouldFilter={false}
        label="Go to a screen, client, site, person, shift or invoice"
        // cmdk marks nothing when the results change while it has another one.
        value={addresses.has(marked) ? marked : first}
        onValueChange={setMarked}
      >
        <Command.Input
          value={text}
          onValueChange={onTextChange}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !mayWait) return;
            event.preventDefault();
            setEntered(text.trim());
          }}
          placeholder="Screen, client, site, person, shift or invoice"
          className="h-12 w-full rounded-sm border border-line-strong bg-transparent px-3 text-base"
        />
        <Command.List className="mt-2 max-h-[55dvh] overflow-y-auto">
          {error && (
            <p role="alert" className="p-3 text-sm text-danger">
              {describeError(error)}
            </p>
          )}
          {isEmpty && !error && (
            <p className="p-3 text-sm text-muted">{isFetching ? 'Searching...' : 'No results.'}</p>
          )}
          {namedScreens.length > 0 && (
            <Command.Group heading="Screens" className={groupStyles}>
              {namedScreens.map((screen) => (
                <ScreenItem
                  key={screen.path}
                  {...screen}
                  Icon={'Icon' in screen ? screen.Icon : CornerDownRight}
                  onGo={onGo}
                />
              ))}
            </Command.Group>
          )}
          {actions.length > 0 && (
            <Command.Group heading="Actions" className={groupStyles}>
              {actions.map((action) => (
                <ScreenItem key={action.path} {...action} Icon={Plus} onGo={onGo} />
              ))}
            </Command.Group>
          )}
          {KINDS.map(([kind, heading]) => {
            const items = records.flatMap((found) => {
              const address = found.kind === kind ? addressOf(found) : undefined;
              return address === undefined ? [] : [{ found, address }];
            });
            const hasMore = items.length > SHOWN;
            return (
              items.length > 0 && (
                <Command.Group key={kind} heading={heading} className={groupStyles}>
                  {items.slice(0, SHOWN).map(({ found, address }) => (
                    <Command.Item
                      key={found.id}
                      value={found.id}
                      onSelect={() => onGo(address)}
                      className={itemStyles}
                    >
                      <span className="min-w-0">
                        <span className="block truncate">{found.title}</span>
                        <span className="block truncate text-sm text-muted">{detailOf(found)}</span>
                      </span>
                    </Command.Item>
                  ))}
                  {hasMore && (
                    <p className="px-3 py-2 text-sm text-muted">
                      There are more results. Type more of the name.
                    </p>
                  )}
                </Command.Group>
              )
            );
          })}
        </Command.List>
      </Command>
    </Dialog>
  );
}
