import { describe, expect, it } from 'vitest';
import { ROLES } from '#shared/permissions.ts';
import { entriesFor, mayOpen } from './navigation.ts';

describe('the sidebar', () => {
  it.each(ROLES)('offers Deployments to %s, under Staff Portal', (role) => {
    const [group] = entriesFor([role]);
    expect(group?.name).toBe('Staff Portal');
    expect(group?.entries.map((entry) => entry.label)).toContain('Deployments');
  });

  it('shows no group without entries', () => {
    expect(entriesFor([]).every((group) => group.entries.length > 0)).toBe(true);
  });
});

describe('a screen', () => {
  it('opens only for the roles in the permission matrix', () => {
    expect(mayOpen(['admin'], '/admin/payroll')).toBe(true);
    expect(mayOpen(['ops_manager'], '/admin/payroll/')).toBe(false);
    expect(mayOpen(['hr', 'dispatcher'], '/admin/shifts')).toBe(true);
    expect(mayOpen(['hr'], '/admin')).toBe(true);
  });
});
