// Calls a function of the backend (supabase/functions). Its refusal becomes an error with the words that it gave.
import { FunctionsHttpError } from '@supabase/supabase-js';
import { z } from 'zod';
import { supabase } from './client.ts';

const refusalSchema = z.object({ code: z.string().optional(), message: z.string().min(1) });

async function refusalOf(answer: unknown): Promise<Error> {
  if (!(answer instanceof Response)) return new Error('The server could not be understood.');
  const body: unknown = await answer.json().catch(() => undefined);
  const { data } = refusalSchema.safeParse(body);
  if (!data) return new Error(`The server answered ${answer.status}. Please try again.`);
  return Object.assign(new Error(data.message), { code: data.code });
}

/**
 * @param name of the function
 * @returns what it answers, not checked
 * @throws its refusal, or what kept it from being reached
 */
export async function invokeFunction(name: string, body: Record<string, unknown>) {
  const { data, error } = await supabase().functions.invoke<unknown>(name, { body });
  if (error instanceof FunctionsHttpError) throw await refusalOf(error.context);
  if (error) throw error;
  return data;
}
