import type { ClientBase } from 'pg';

/** Functions of the product that follow see this user as their caller; without one, the owner of the database. */
export const actAs = (client: ClientBase, user?: string) =>
  client.query(`select set_config('request.jwt.claims', $1, true)`, [
    user ? JSON.stringify({ sub: user, role: 'authenticated', aal: 'aal1' }) : '',
  ]);
