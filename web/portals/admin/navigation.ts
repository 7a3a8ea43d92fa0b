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
  Landmark,
  LayoutDashboard,
  type LucideIcon,
  Mailbox,
  MapPinned,
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
import type { Role } from '#shared/permissions.ts';
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

const icons = {
  deployments: ShieldCheck,
  dashboard: LayoutDashboard,
  users: UserCog,
  certifications: GraduationCap,
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
export type Entry = Row & {
  Icon: LucideIcon;
  Count: ComponentType<{ narrow?: boolean }> | undefined;
};

const entries: Entry[] = screens
  .filter((screen): screen is Row => screen.id in icons)
  .map((screen) => ({ ...screen, Icon: icons[screen.id], Count: counts[screen.id] }));

const GROUPS = ['Staff Portal', 'Admin Portal'] as const;

/** Sub-headings of the sidebar, by the first screen below them. */
const SECTION_STARTS: Partial<Record<ScreenId, string>> = {
  sites: 'Operations',
  leave: 'People and clients',
  financials: 'Finance and records',
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
    const shown = entries.filter((entry) => entry.group === name && maySee(roles, entry.id));
    return { name, entries: shown, sections: sectionsOf(shown) };
  }).filter((group) => group.entries.length > 0);
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
  if (path.startsWith('/admin/people/new')) return mayManagePeople(roles);
  if (path.startsWith('/admin/people/')) return maySeePeople(roles);
  if (/^\/admin\/sites\/[^/]/.test(path)) return maySeeSites(roles);
  if (/^\/admin\/clients\/[^/]/.test(path)) return maySeeClients(roles);
  const screen = screenAt(path);
  return !screen || maySee(roles, screen.id);
}
