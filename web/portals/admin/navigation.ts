import {
  ArrowLeftRight,
  Banknote,
  Building2,
  CalendarClock,
  CalendarOff,
  CalendarRange,
  ChartColumn,
  ClipboardCheck,
  FilePenLine,
  FileText,
  GraduationCap,
  HandCoins,
  History,
  IdCard,
  Landmark,
  LayoutDashboard,
  type LucideIcon,
  Mailbox,
  MapPinned,
  Megaphone,
  RadioTower,
  Receipt,
  Scale,
  Server,
  ShieldCheck,
  Siren,
  Timer,
  UserCog,
  Users,
  Wallet,
} from 'lucide-react';
import type { ComponentType } from 'react';
import type { Role } from '#shared/grants.ts';
import {
  mayManagePeople,
  maySee,
  maySeeClients,
  maySeePeople,
  maySeeSites,
  type ScreenId,
  screens,
} from '#shared/screens.ts';
import { NewEnquiriesCount } from '#web/features/clients/enquiries/new-enquiries-count.tsx';
import { areas, type Tab, tabAt } from './areas.ts';

const icons = {
  deployments: ShieldCheck,
  dashboard: LayoutDashboard,
  today: LayoutDashboard,
  users: UserCog,
  certifications: GraduationCap,
  announcements: Megaphone,
  activity: History,
  system: Server,
  sites: MapPinned,
  shifts: CalendarClock,
  roster: CalendarRange,
  operations: RadioTower,
  incidents: Siren,
  clients: Building2,
  contracts: FilePenLine,
  invoices: FileText,
  attendance: ClipboardCheck,
  timesheets: Timer,
  people: IdCard,
  leave: CalendarOff,
  enquiries: Mailbox,
  financials: ChartColumn,
  expenses: Receipt,
  bankaccounts: Landmark,
  loans: HandCoins,
  statements: Scale,
  cashflow: ArrowLeftRight,
  staff: Users,
  payroll: Wallet,
  payruns: Banknote,
} as const satisfies Partial<Record<ScreenId, LucideIcon>>;

/** Counters beside the names. */
const counts: Partial<Record<ScreenId, ComponentType<{ narrow?: boolean }>>> = {
  enquiries: NewEnquiriesCount,
};

type BuiltId = keyof typeof icons;
type Row = Extract<(typeof screens)[number], { id: BuiltId }>;
const isBuilt = (screen: (typeof screens)[number]): screen is Row => screen.id in icons;

export type ScreenTab = Tab & { Count: ComponentType<{ narrow?: boolean }> | undefined };

export type Entry = {
  id: BuiltId;
  group: Row['group'];
  label: string;
  /** Of the screen, or of the first tab that the user may open. */
  path: Row['path'] | Tab['path'];
  Icon: LucideIcon;
  /** The first counter of its tabs. */
  Count: ScreenTab['Count'];
  /** What the user may open in the area; none for a screen without tabs. */
  tabs: readonly ScreenTab[];
};

const screenIdAt = (path: string) => screens.find((row) => row.path === path)?.id;

/** In the sidebar below the name of an area, not as entries. */
const folded = new Set(
  areas.flatMap(({ id, tabs }) =>
    tabs.map(({ path }) => screenIdAt(path)).filter((it) => it !== id),
  ),
);

/** @returns the tabs of an area that these roles may open */
function tabsFor(roles: readonly Role[], id: ScreenId): ScreenTab[] {
  const { tabs = [] } = areas.find((area) => area.id === id) ?? {};
  return tabs
    .filter(({ path }) => mayOpen(roles, path))
    .map((each) => ({ ...each, Count: counts[screenIdAt(each.path) ?? id] }));
}

/** @returns the entry of a screen; undefined if these roles may open neither it nor a tab of its area */
function entryOf(roles: readonly Role[], { id, group, label, path }: Row): Entry | undefined {
  const tabs = tabsFor(roles, id);
  const { Count } = tabs.find((each) => each.Count) ?? {};
  const entry = { id, group, label, path, Icon: icons[id], Count, tabs };
  if (maySee(roles, id)) return entry;
  // Who may see only a tab gets that tab.
  const [first] = tabs;
  const own = first && screens.filter(isBuilt).find((row) => row.path === first.path);
  return first && { ...entry, label: first.name, path: first.path, Icon: icons[own?.id ?? id] };
}

const GROUPS = ['Staff Portal', 'Admin Portal'] as const;

/** Sub-headings of the sidebar, by the first screen below them. */
const SECTION_STARTS: Partial<Record<ScreenId, string>> = {
  sites: 'Operations',
  people: 'People and clients',
  invoices: 'Finance and records',
  system: 'Settings',
};

/** Fewer entries are found without sub-headings. */
const MIN_FOR_SECTIONS = 8;

export type Section = { name: string | undefined; entries: Entry[] };

const sectionNames = new Map<ScreenId, string | undefined>();
let sectionName: string | undefined;
for (const { id } of screens) {
  sectionName = SECTION_STARTS[id] ?? sectionName;
  sectionNames.set(id, sectionName);
}

function sectionsOf(shown: Entry[]): Section[] {
  if (shown.length < MIN_FOR_SECTIONS) return [{ name: undefined, entries: shown }];
  const sections = new Map<string | undefined, Entry[]>();
  for (const entry of shown) {
    const name = sectionNames.get(entry.id);
    sections.set(name, [...(sections.get(name) ?? []), entry]);
  }
  return [...sections].map(([name, rows]) => ({ name, entries: rows }));
}

/** @returns the non-empty groups for these roles, with their entries in the order of shared/permissions.ts */
export function entriesFor(roles: readonly Role[]) {
  return GROUPS.map((name) => {
    const shown = screens
      .filter(isBuilt)
      .filter((screen) => screen.group === name && !folded.has(screen.id))
      .flatMap((screen) => entryOf(roles, screen) ?? []);
    return { name, entries: shown, sections: sectionsOf(shown) };
  }).filter((group) => group.entries.length > 0);
}

/** @returns the entry of the screen at this path, or of the one that a page below it belongs to */
export function entryAt(entries: readonly Entry[], path: string): Entry | undefined {
  const id = tabAt(path)?.area.id ?? screenAt(path)?.id;
  return entries.find((entry) => entry.id === id);
}

/** @returns the tabs to show above the screen at this path: none on the pages below it, and none beside a single tab */
export function tabsAt(roles: readonly Role[], path: string) {
  const exact = path.replace(/\/+$/, '');
  const at = tabAt(exact);
  if (at?.tab.path !== exact) return undefined;
  const tabs = tabsFor(roles, at.area.id);
  return tabs.length > 1
    ? { name: screens.find(({ id }) => id === at.area.id)?.label ?? '', tabs }
    : undefined;
}

/** Whether the screen is built and these roles may open it. */
export function offers(roles: readonly Role[], id: ScreenId): boolean {
  return id in icons && maySee(roles, id);
}

/** @returns the screen at this path, or the one that a page below it belongs to */
function screenAt(path: string) {
  const exact = path.replace(/\/+$/, '');
  return screens.find(
    (row) => row.path === exact || (!('exact' in row) && exact.startsWith(`${row.path}/`)),
  );
}

/** Whether these roles may open the screen at this path. The router handles unknown paths. */
export function mayOpen(roles: readonly Role[], path: string): boolean {
  const exact = path.replace(/\/+$/, '');
  // Devices, a tab, are below the list of sites as the page of a site is.
  if (tabAt(exact)?.tab.path !== exact) {
    if (exact.startsWith('/admin/people/new')) return mayManagePeople(roles);
    if (exact.startsWith('/admin/people/')) return maySeePeople(roles);
    if (exact.startsWith('/admin/sites/')) return maySeeSites(roles);
    if (exact.startsWith('/admin/clients/')) return maySeeClients(roles);
  }
  const screen = screenAt(exact);
  return !screen || maySee(roles, screen.id);
}
