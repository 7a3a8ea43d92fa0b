// The company's database and server, the people in the office, and how they act: each as themselves.
import type { SupabaseClient } from '@supabase/supabase-js';
import type { Pool } from 'pg';
import type { Role } from '#shared/grants.ts';
import { claimsOf } from '#tests/support/acting.ts';
import { type TestServer, testServer } from '#tests/support/server.ts';

export interface Member {
  id: string;
  client: SupabaseClient;
  claims: Record<string, string>;
}

export interface Office {
  server: TestServer;
  owner: Pool;
  /** Plans, corrects attendance and decides about hours. */
  operations: Member;
  hr: Member;
  finance: Member;
  admin: Member;
}

async function member(server: TestServer, name: string, role: Role): Promise<Member> {
  const { id, client } = await server.signedUp(name);
  await server.database.owner.query('insert into user_roles (user_id, role) values ($1, $2)', [
    id,
    role,
  ]);
  return { id, client, claims: claimsOf(id) };
}

export async function openOffice(): Promise<Office> {
  const server = await testServer();
  return {
    server,
    owner: server.database.owner,
    operations: await member(server, 'Operations', 'ops_manager'),
    hr: await member(server, 'HR', 'hr'),
    finance: await member(server, 'Finance', 'finance'),
    admin: await member(server, 'Admin', 'admin'),
  };
}
