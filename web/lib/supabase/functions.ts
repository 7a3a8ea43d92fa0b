import { FunctionsHttpError } from '@supabase/supabase-js';
import { z } from 'zod';
import { supabase } from './client.ts';

const errorSchema = z.object({ code: z.string().optional(), message: z.string().min(1) });

async function errorOf(answer: unknown): Promise<Error> {
  if (!(answer instanceof Response)) return new Error('The server sent an unreadable response.');
  const body: unknown = await answer.json().catch(() => undefined);
  const { data } = errorSchema.safeParse(body);
  if (!data) return new Error(`The server answered ${answer.status}. Please try again.`);
  return Object.assign(new Error(data.message), { code: data.code });
}

/**
 * Calls an edge function (supabase/functions).
 * @returns the response body, unchecked
 * @throws an error with the function's own code and message, or the connection error
 */
export async function invokeFunction(name: string, body: Record<string, unknown>) {
  const { data, error } = await supabase().functions.invoke<unknown>(name, { body });
  if (error instanceof FunctionsHttpError) throw await errorOf(error.context);
  if (error) throw error;
  return data;
}
