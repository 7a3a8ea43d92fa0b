import { describe, expect, it } from 'vitest';
import { isAppPath } from '#shared/app-paths.ts';
import { USER_ROLES_ROLE } from '#shared/database.values.ts';
import { maySee, screens } from '#shared/screens.ts';
import { areas } from './areas.ts';
import { commandsFor } from './commands.ts';
import { entriesFor, entryAt, mayOpen, tabsAt } from './navigation.ts';

describe('the sidebar', () => {
  it.each(USER_ROLES_ROLE)('offers Deployments to %s, under Staff Portal', (role) => {
    const [group] = entriesFor([role]);
    expect(group?.name).toBe('Staff Portal');
    expect(group?.entries.map((entry) => entry.label)).toContain('Deployments');
  });

  it('shows no group without entries', () => {
    expect(entriesFor([]).every((group) => group.entries.length > 0)).toBe(true);
  });
});

describe('areas', () => {
  const reachableBy = (role: (typeof USER_ROLES_ROLE)[number]) =>
    entriesFor([role]).flatMap(({ entries }) =>
      entries.flatMap(({ path, tabs }) => [path, ...tabs.map((tab) => tab.path)]),
    );

  it.each(USER_ROLES_ROLE)('leave no screen of %s without an entry or a tab', (role) => {
    const mine = screens.filter(({ id }) => maySee([role], id)).map(({ path }) => path);
    expect(reachableBy(role)).toEqual(expect.arrayContaining(mine));
    expect(reachableBy(role).filter((path) => !mayOpen([role], path))).toEqual([]);
  });

  it('have tabs that are screens, each in one area', () => {
    const paths = areas.flatMap(({ tabs }) => tabs.map(({ path }) => path));
    expect(paths.filter((path) => !isAppPath(path))).toEqual([]);
    expect(new Set(paths).size).toBe(paths.length);
  });

  it('are named after the first tab that a role may open', () => {
    const labels = (role: (typeof USER_ROLES_ROLE)[number]) =>
      entriesFor([role]).flatMap(({ entries }) => entries.map(({ label }) => label));
    expect(labels('hr')).toEqual([
      ...['Deployments', 'Today', 'Attendance', 'Timesheets', 'People'],
    ]);
    expect(labels('dispatcher')).toContain('Posts');
  });

  it('mark the entry of a tab, and of a page below it', () => {
    const entries = entriesFor(['admin']).flatMap((group) => group.entries);
    const entryOf = (path: string) => entryAt(entries, path)?.label;
    expect(entryOf('/admin/roster/posts/orders')).toBe('Sites');
    expect(entryOf('/admin/roster')).toBe('Roster');
    expect(entryOf('/admin/contracts/1b2c')).toBe('Clients');
    expect(entryOf('/admin/payroll/returns')).toBe('Pay Runs');
    expect(entryOf('/admin/payroll')).toBe('Payroll');
    expect(entryOf('/admin')).toBe('Deployments');
    expect(entryOf('/admin/notices')).toBeUndefined();
  });

  it('show their tabs on the tabs alone, where there are several', () => {
    const labelsAt = (role: (typeof USER_ROLES_ROLE)[number], path: string) =>
      tabsAt([role], path)?.tabs.map(({ label }) => label);
    expect(labelsAt('admin', '/admin/clients/')).toEqual(['Clients', 'Contracts', 'Enquiries']);
    expect(labelsAt('admin', '/admin/contracts/1b2c')).toBeUndefined();
    expect(labelsAt('finance', '/admin/contracts')).toBeUndefined();
    expect(labelsAt('admin', '/admin/shifts')).toBeUndefined();
  });
});

describe('sections', () => {
  it('keep every entry, in the order of the matrix', () => {
    for (const role of USER_ROLES_ROLE) {
      for (const { entries, sections } of entriesFor([role])) {
        expect(sections.flatMap((section) => section.entries)).toEqual(entries);
      }
    }
  });

  it('have names only where there are many entries', () => {
    const namesFor = (role: (typeof USER_ROLES_ROLE)[number]) =>
      entriesFor([role])[1]?.sections.map(({ name }) => name);
    expect(namesFor('admin')).toEqual([
      undefined,
      'Operations',
      'People and clients',
      'Finance and records',
      'Settings',
    ]);
    expect(namesFor('supervisor')).toEqual([undefined]);
  });
});

describe('a screen', () => {
  it('opens only for the roles in the permission matrix', () => {
    expect(mayOpen(['admin'], '/admin/payroll')).toBe(true);
    expect(mayOpen(['ops_manager'], '/admin/payroll/')).toBe(false);
    expect(mayOpen(['hr', 'dispatcher'], '/admin/shifts')).toBe(true);
    expect(mayOpen(['hr'], '/admin')).toBe(true);
  });

  it('gives its roles to the pages below it', () => {
    expect(mayOpen(['supervisor'], '/admin/incidents/1/letter')).toBe(true);
    expect(mayOpen(['hr'], '/admin/incidents/1/letter')).toBe(false);
  });

  it('of a site or a client is for more roles than their list', () => {
    expect(mayOpen(['supervisor'], '/admin/sites/1')).toBe(true);
    expect(mayOpen(['supervisor'], '/admin/sites/')).toBe(false);
    expect(mayOpen(['supervisor'], '/admin/sites/devices')).toBe(false);
    expect(mayOpen(['guard'], '/admin/sites/1')).toBe(false);
    expect(mayOpen(['finance'], '/admin/clients/1')).toBe(true);
    expect(mayOpen(['finance'], '/admin/clients')).toBe(false);
    expect(mayOpen(['dispatcher'], '/admin/clients/1')).toBe(false);
  });
});

describe('commands', () => {
  const labelsFor = (...roles: Parameters<typeof commandsFor>[0]) =>
    commandsFor(roles).map(({ label }) => label);

  it('are the screens and forms that a role may open', () => {
    expect(labelsFor('admin')).toEqual(
      expect.arrayContaining(['Roster Rules', 'Hire a Person', 'Add Site', 'Draft Invoices']),
    );
    expect(labelsFor('finance')).toEqual(
      expect.arrayContaining(['Unbilled Hours', 'Statutory Returns', 'New Pay Run']),
    );
    for (const label of ['Add Site', 'Roster Rules', 'Enter Request', 'Security Events'])
      expect(labelsFor('finance')).not.toContain(label);
    expect(labelsFor('dispatcher')).not.toContain('Draft Invoices');
  });

  it('have a name and an address each', () => {
    const commands = commandsFor(['admin']);
    expect(new Set(commands.map(({ path }) => path)).size).toBe(commands.length);
    expect(new Set(commands.map(({ label }) => label)).size).toBe(commands.length);
  });
});
