// Tabs by the ARIA Authoring Practices Guide: arrow keys, Home and End open the other tabs. Our own, because Radix's were a
// twentieth of the code of the sign-in screen.
import {
  type ComponentProps,
  createContext,
  type KeyboardEvent,
  use,
  useId,
  useState,
} from 'react';
import { cn } from '#web/lib/cn.ts';

type TabsState = { id: string; shown: string | undefined; show: (value: string) => void };
const TabsContext = createContext<TabsState | undefined>(undefined);

function useTab(value: string) {
  const tabs = use(TabsContext);
  if (!tabs) throw new Error('Tabs must be around this tab.');
  const { id, shown, show } = tabs;
  const isShown = shown === value;
  return {
    isShown,
    show: () => !isShown && show(value),
    tabId: `${id}-tab-${value}`,
    panelId: `${id}-panel-${value}`,
  };
}

type TabsProps = Omit<ComponentProps<'div'>, 'defaultValue'> &
  (
    | { value: string; onValueChange: (value: string) => void; defaultValue?: never }
    | { defaultValue: string; value?: never; onValueChange?: never }
  );

export function Tabs({ value, defaultValue, onValueChange, ...rest }: TabsProps) {
  const id = useId();
  const [own, setOwn] = useState(defaultValue);
  return (
    <TabsContext value={{ id, shown: value ?? own, show: onValueChange ?? setOwn }}>
      <div {...rest} />
    </TabsContext>
  );
}

/** Both ends continue at the other one. */
function tabAfter(tabs: readonly HTMLElement[], index: number, key: string) {
  if (key === 'ArrowLeft') return tabs.at(index - 1);
  if (key === 'ArrowRight') return tabs[(index + 1) % tabs.length];
  if (key === 'Home') return tabs[0];
  return key === 'End' ? tabs.at(-1) : undefined;
}

function openByKey(event: KeyboardEvent<HTMLElement>) {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const tabs = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="tab"]')];
  const shown = tabs.findIndex((tab) => tab.ariaSelected === 'true');
  const next = tabAfter(tabs, shown, event.key);
  if (!next) return;
  event.preventDefault();
  next.focus();
  next.click();
}

/** Moves the list sideways alone, so that the page stays where it is. */
function showSelected(list: HTMLElement | null) {
  const tab = list?.querySelector<HTMLElement>('[aria-selected="true"]');
  if (!list || !tab) return;
  const [left, right] = [tab.offsetLeft, tab.offsetLeft + tab.offsetWidth];
  if (left < list.scrollLeft || right > list.scrollLeft + list.clientWidth)
    list.scrollLeft = left - (list.clientWidth - tab.offsetWidth) / 2;
}

/** Many tabs scroll sideways where they don't fit. */
type TabsListProps = ComponentProps<'div'> & { isLong?: boolean };

export function TabsList({ className, isLong = false, ...rest }: TabsListProps) {
  return (
    <div
      role="tablist"
      {...(isLong && { ref: showSelected })}
      className={cn(
        'grid grid-flow-col border-b border-line',
        isLong
          ? 'relative auto-cols-[minmax(max-content,1fr)] overflow-x-auto overflow-y-hidden'
          : 'auto-cols-fr',
        className,
      )}
      onKeyDown={openByKey}
      {...rest}
    />
  );
}

type TabProps = { value: string };

export function TabsTrigger({
  value,
  className,
  ...rest
}: TabProps & Omit<ComponentProps<'button'>, 'value'>) {
  const { isShown, show, tabId, panelId } = useTab(value);
  return (
    <button
      type="button"
      role="tab"
      id={tabId}
      aria-selected={isShown}
      aria-controls={panelId}
      tabIndex={isShown ? 0 : -1}
      onClick={show}
      className={cn(
        '-mb-px min-h-12 border-b-2 border-transparent px-3 text-sm font-semibold text-muted',
        'transition-colors hover:text-ink focus-visible:-outline-offset-3',
        'aria-selected:border-accent-fill aria-selected:text-ink',
        // On paper, the name of what is shown.
        'print:not-aria-selected:hidden',
        className,
      )}
      {...rest}
    />
  );
}

type TabsContentProps = TabProps &
  ComponentProps<'div'> & {
    /** Keeps the content of a tab that is not shown. */
    forceMount?: boolean;
  };

export function TabsContent({ value, forceMount = false, children, ...rest }: TabsContentProps) {
  const { isShown, tabId, panelId } = useTab(value);
  return (
    <div
      role="tabpanel"
      id={panelId}
      aria-labelledby={tabId}
      hidden={!isShown}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: after its tab, the Tab key reaches a panel without controls too.
      tabIndex={0}
      {...rest}
    >
      {(isShown || forceMount) && children}
    </div>
  );
}
