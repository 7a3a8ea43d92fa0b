import { describe, expect, it } from 'vitest';
import { USER_ROLES_ROLE } from '#shared/database.values.ts';
import { commandsFor } from './commands.ts';
import { entriesFor, mayOpen } from './navigation.ts';

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
