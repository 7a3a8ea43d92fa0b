import { CalendarClock, Users } from 'lucide-react';
import type { Role } from '#shared/grants.ts';
import { mayDo } from '#shared/permissions.ts';
import { deleteAction } from '#web/components/list/delete-action.ts';
import type { BulkActions, ListAction } from '#web/components/list/list-actions.ts';
import { changeRecords, listIds } from '#web/lib/data/many-rows.ts';
import { moveShifts } from './shift-api.ts';
import { shiftName } from './shift-columns.tsx';
import type { Shift } from './shift-schema.ts';

const setHeadcount: ListAction<Shift> = {
  label: 'Set headcount',
  icon: Users,
  fields: [{ kind: 'number', name: 'headcount', label: 'Required guards', least: 1, most: 1000 }],
  run: (rows, { headcount }) =>
    changeRecords('shifts', listIds(rows), { required_headcount: Number(headcount) }),
  done: 'changed',
};

const move: ListAction<Shift> = {
  label: 'Move',
  icon: CalendarClock,
  fields: [
    {
      kind: 'number',
      name: 'days',
      label: 'Days',
      hint: 'For example 1 for the next day, or -7 for a week earlier. Assigned guards move along.',
      least: -366,
      most: 366,
      initial: '0',
    },
    { kind: 'time', name: 'start', label: 'New start', optional: true },
    { kind: 'time', name: 'end', label: 'New end', optional: true },
    { kind: 'site', name: 'site', label: 'New site', optional: true },
  ],
  check({ days, start, end, site }) {
    if ((start === '') !== (end === '')) return 'Enter both a new start and a new end';
    const isSame = Number(days) === 0 && start === '' && site === '';
    return isSame ? 'Choose what to change: the day, the time or the site' : undefined;
  },
  run: (rows, { days, start, end, site }) =>
    moveShifts(listIds(rows), { days: Number(days), start, end, siteId: site }),
  done: 'moved',
};

function consequenceOf(rows: Shift[]): string {
  const guards = rows.reduce((sum, { assigned, on_leave }) => sum + assigned + on_leave, 0);
  if (guards === 0) return 'No guards are assigned to them.';
  return guards === 1
    ? 'One guard will no longer be assigned.'
    : `${guards} assignments of guards are removed with them.`;
}

export const shiftActions = (roles: readonly Role[]): BulkActions<Shift> => ({
  noun: ['shift', 'shifts'],
  nameOf: shiftName,
  actions: [
    ...(mayDo(roles, 'shifts', 'update') ? [setHeadcount, move] : []),
    ...(mayDo(roles, 'shifts', 'delete') ? [deleteAction('shifts', consequenceOf)] : []),
  ],
});
