// Every kind of import that a function can use.
import 'jsr:@supabase/functions-js/edge-runtime.d.ts';
import { createClient } from 'https://esm.sh/@supabase/supabase-js@2';
import { readFileSync } from 'node:fs';
import { addDays } from 'npm:date-fns@4/addDays';
import { z } from 'checks';
import { greeting } from 'shared/greeting.ts';

const Body = z.object({ name: z.string() });
const client = createClient(
  Deno.env.get('SUPABASE_URL') ?? '',
  Deno.env.get('SUPABASE_SERVICE_ROLE_KEY') ?? '',
);

Deno.serve(async (request) => {
  const { name } = Body.parse(await request.json());
  const { count, error } = await client
    .schema('Quoted Names')
    .from('Big Things')
    .select('*', { count: 'exact', head: true });
  const note = readFileSync(new URL('./note.txt', import.meta.url), 'utf8').trim();
  return Response.json({
    greeting: greeting(name),
    count,
    error: error?.message ?? null,
    next: addDays(new Date('2026-02-28T00:00:00Z'), 1).toISOString(),
    note,
  });
});
