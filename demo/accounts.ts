// Published accounts, created only with DEMO=on, which requires a loopback address.
import type { Role } from '../shared/grants.ts';

export const DEMO_PASSWORD = 'Statesman-Demo-1';

interface DemoAccount {
  id: string;
  email: string;
  fullName: string;
  role: Role;
  summary: string;
}

const account = (
  number: number,
  name: string,
  fullName: string,
  role: Role,
  summary: string,
): DemoAccount => ({
  id: `00000000-0000-4000-8000-00000000000${number}`,
  email: `${name}@statesman.example`,
  fullName,
  role,
  summary,
});

export const DEMO_ACCOUNTS: readonly DemoAccount[] = [
  account(1, 'admin', 'Comfort Massaquoi', 'admin', 'administrator'),
  account(2, 'ops', 'Emmanuel Kpadeh', 'ops_manager', 'operations manager'),
  account(3, 'supervisor', 'Joseph Tarpeh', 'supervisor', 'supervisor of one site'),
  account(4, 'dispatcher', 'Martha Gbowee', 'dispatcher', 'dispatcher'),
  account(5, 'hr', 'Hawa Kromah', 'hr', 'human resources'),
  account(8, 'finance', 'Garmai Sumo', 'finance', 'finance'),
  account(6, 'guard', 'Prince Dolo', 'guard', 'guard'),
  account(7, 'guard2', 'Patience Zeon', 'guard', 'guard'),
];

/** A contact of the largest client, who signs in at /client. */
export const DEMO_CONTACT = {
  id: '00000000-0000-4000-8000-000000000009',
  email: 'client@statesman.example',
  fullName: 'Esther Whitfield',
  summary: 'contact of a client, at /client',
} as const;
