import { Command } from 'cmdk';
import { CornerDownRight, History, type LucideIcon, Plus, Search } from 'lucide-react';
import { useDeferredValue, useEffect, useState } from 'react';
import { foldText } from '#shared/search-text.ts';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { describeError } from '#web/lib/errors/error-message.ts';
import { formatDateTime } from '#web/lib/format/dates.ts';
import type { Use } from '#web/lib/session/finder-use.ts';
import { type Found, useFoundRecords } from './api.ts';
import { type Named, rankNamed, searchesOf } from './rank.ts';

export type FinderScreen = Named & { Icon: LucideIcon };
/** A screen below those of the sidebar, or a form that opens at once. */
export type FinderCommand = Named & { isAction: boolean };

export type FinderProps = {
  text: string;
  onTextChange: (text: string) => void;
  /** The screens that the user may open. */
  screens: FinderScreen[];
  /** Shown as soon as something is typed; those that the user opens, at once. */
  commands: FinderCommand[];
  /** Lists to search in, such as "post orders freeport". */
  lists: Named[];
  /** How often the user opened each address from here. */
  use: Use;
  /** The address of a record; undefined if the user may not open its screen. */
  addressOf: (found: Found) => string | undefined;
  onGo: (address: string) => void;
  onClose: () => void;
};

const KINDS = [
  ['client', 'Clients'],
  ['site', 'Sites'],
  ['guard', 'People'],
  ['contact', 'Contacts of clients'],
  ['post', 'Posts'],
  ['orders', 'Post orders'],
  ['shift', 'Shifts'],
  ['contract', 'Contracts'],
  ['invoice', 'Invoices'],
  ['enquiry', 'Enquiries'],
  ['quote', 'Quotes'],
  ['incident', 'Incidents'],
] as const;

/** Of those that fit, and before anything is typed. */
const MOST_USED = 3;
const MOST_USED_AT_FIRST = 5;

/** Records shown of each kind. The database returns one more if there are more. */
const SHOWN = 20;

const itemStyles =
  'flex min-h-11 cursor-pointer items-center gap-3 rounded-sm px-3 py-1.5 data-[selected=true]:bg-sunken';
const groupStyles =
  '[&_[cmdk-group-heading]]:px-3 [&_[cmdk-group-heading]]:pt-3 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-sm [&_[cmdk-group-heading]]:text-muted';

function detailOf({ detail, start_time, timezone }: Found): string {
  const start = start_time && timezone ? formatDateTime(start_time, timezone) : undefined;
  return [start, detail].filter(Boolean).join(' · ');
}

type Item = {
  key: string;
  address: string;
  label: string;
  detail?: string;
  Icon: LucideIcon | undefined;
};
type Group = { heading: string; items: Item[]; hasMore?: boolean };

const toItem =
  (Icon: LucideIcon) =>
  ({ path, label, ...own }: Named & { Icon?: LucideIcon }): Item => ({
    key: path,
    address: path,
    label,
    Icon: own.Icon ?? Icon,
  });

function FoundItem({ item, onGo }: { item: Item; onGo: (address: string) => void }) {
  const { key, address, label, detail, Icon } = item;
  return (
    <Command.Item value={key} onSelect={() => onGo(address)} className={itemStyles}>
      {Icon && <Icon aria-hidden="true" className="size-4.5 shrink-0 text-accent" />}
      <span className="min-w-0">
        <span className="block truncate">{label}</span>
        {detail && <span className="block truncate text-sm text-muted">{detail}</span>}
      </span>
    </Command.Item>
  );
}

/** Names that begin as typed come first. */
function toRecords(records: readonly Found[], text: string, addressOf: FinderProps['addressOf']) {
  const typed = foldText(text);
  const begins = ({ label }: Item) => foldText(label).startsWith(typed);
  const first = (a: boolean | undefined, b: boolean | undefined) => Number(b) - Number(a);
  return KINDS.map(([kind, heading]): Group => {
    const items = records
      .filter((found) => found.kind === kind)
      .flatMap((found, at): Item[] => {
        const address = addressOf(found);
        if (address === undefined) return [];
        const detail = detailOf(found);
        // Two contacts of a client have one address.
        return [{ key: `${kind} ${at}`, address, label: found.title, detail, Icon: undefined }];
      })
      .sort((a, b) => first(begins(a), begins(b)));
    return { heading, items: items.slice(0, SHOWN), hasMore: items.length > SHOWN };
  }).sort((a, b) => first(a.items.some(begins), b.items.some(begins)));
}

/** Takes what the user opens most out of its groups, and puts it first. */
function withMostUsed(groups: readonly Group[], use: Use, most: number): Group[] {
  const used = groups
    .flatMap(({ items }) => items)
    .filter(({ address }) => use.has(address))
    .sort((a, b) => (use.get(b.address) ?? 0) - (use.get(a.address) ?? 0))
    .slice(0, most);
  const keys = new Set(used.map(({ key }) => key));
  const others = groups.map((group) => ({
    ...group,
    items: group.items.filter(({ key }) => !keys.has(key)),
  }));
  return [
    { heading: 'Most used', items: used.map((item) => ({ ...item, Icon: item.Icon ?? History })) },
    ...others,
  ].filter(({ items }) => items.length > 0);
}

export function FinderDialog(props: FinderProps) {
  const { text, onTextChange, screens, commands, lists, use, addressOf, onGo, onClose } = props;
  // Only the records are deferred: Enter right after typing must not open a screen that no longer matches.
  const deferredText = useDeferredValue(text.trim());
  const { data = [], error, isFetching, isPlaceholderData } = useFoundRecords(deferredText);
  const isTyped = text.trim() !== '';
  const named: (FinderScreen | FinderCommand)[] = [
    ...screens,
    ...commands.filter(({ path }) => isTyped || use.has(path)),
  ];
  const found = rankNamed(named, text, use);
  const isAction = (item: FinderScreen | FinderCommand) => 'isAction' in item && item.isAction;
  const own: Group[] = [
    {
      heading: 'Screens',
      items: found.filter((item) => !isAction(item)).map(toItem(CornerDownRight)),
    },
    { heading: 'Actions', items: found.filter(isAction).map(toItem(Plus)) },
    { heading: 'Search in', items: searchesOf(lists, text).map(toItem(Search)) },
  ];
  const hasOwn = own.some(({ items }) => items.length > 0);
  const groups = withMostUsed(
    [...own, ...(deferredText === '' ? [] : toRecords(data, deferredText, addressOf))],
    use,
    isTyped ? MOST_USED : MOST_USED_AT_FIRST,
  );
  const items = groups.flatMap((group) => group.items);
  const addresses = new Map(items.map(({ key, address }) => [key, address]));
  const [marked, setMarked] = useState('');
  // The text for which Enter was pressed before its records arrived.
  const [entered, setEntered] = useState<string>();
  const isCurrent = deferredText === text.trim() && !isPlaceholderData && !isFetching;
  const mayWait = !hasOwn && !isCurrent;
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
        label="Go to a screen, action or record"
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
          placeholder="Screen, action, name, number or phone"
          className="h-12 w-full rounded-sm border border-line-strong bg-transparent px-3 text-base"
        />
        <Command.List className="mt-2 max-h-[55dvh] overflow-y-auto">
          {error && (
            <p role="alert" className="p-3 text-sm text-danger">
              {describeError(error)}
            </p>
          )}
          {items.length === 0 && !error && (
            <p className="p-3 text-sm text-muted">{isFetching ? 'Searching...' : 'No results.'}</p>
          )}
          {groups.map(({ heading, items: shown, hasMore }) => (
            <Command.Group key={heading} heading={heading} className={groupStyles}>
              {shown.map((item) => (
                <FoundItem key={item.key} item={item} onGo={onGo} />
              ))}
              {hasMore && (
                <p className="px-3 py-2 text-sm text-muted">
                  There are more results. Type more of the name.
                </p>
              )}
            </Command.Group>
          ))}
        </Command.List>
      </Command>
    </Dialog>
  );
}
