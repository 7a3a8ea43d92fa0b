// The accounts that the search and the filters leave, as a CSV file.
import { type CsvColumn, downloadCsv, everyRow } from '#web/lib/files/csv.ts';
import { heldRoleLabel, STATE_LABELS } from '../labels.ts';
import { stateOf, type User } from '../schema.ts';
import { type UserFilters, usersQuery } from './list-users.ts';

const COLUMNS: CsvColumn<User>[] = [
  { heading: 'Name', value: (user) => user.full_name },
  { heading: 'Email', value: (user) => user.email },
  { heading: 'Roles', value: (user) => user.user_roles.map(heldRoleLabel).join(', ') },
  { heading: 'Joined', value: (user) => user.created_at },
  { heading: 'State', value: (user) => STATE_LABELS[stateOf(user)] },
  { heading: 'Address confirmed', value: (user) => (user.unconfirmed ? 'No' : 'Yes') },
  { heading: 'Last sign-in', value: (user) => user.last_sign_in_at },
];

export async function exportUsers(filters: UserFilters): Promise<void> {
  const rows = await everyRow(async (from, to) => {
    const { data } = await usersQuery(filters).range(from, to).throwOnError();
    return data;
  });
  await downloadCsv('users', COLUMNS, rows);
}
