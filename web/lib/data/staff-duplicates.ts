import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { z } from 'zod';
import { staffKey } from '#web/lib/data/keys.ts';
import { formatDay } from '#web/lib/format/dates.ts';
import { supabase } from '#web/lib/supabase/client.ts';

export type GivenPerson = {
  full_name: string;
  email: string;
  phone: string;
  hire_date: string;
  status?: string;
};

const comparedSchema = z.object({
  full_name: z.string().nullish(),
  email: z.string().nullish(),
  phone: z.string().nullish(),
  hire_date: z.string().nullish(),
  status: z.string().nullish(),
});

async function fetchDuplicates(rows: object[], except?: string) {
  const { data } = await supabase()
    .rpc('likely_duplicates', {
      p_rows: comparedSchema.array().parse(rows),
      ...(except && { p_except: except }),
    })
    .throwOnError();
  return data;
}
type Duplicate = Awaited<ReturnType<typeof fetchDuplicates>>[number];

const SAME: Record<string, string> = {
  email: 'the same email',
  phone: 'the same phone number',
  name: 'the same name',
};

/** @returns for example "the same name and hire date", or "the same email, left Feb 1, 2027" */
export function describeDuplicate({ reason, status, end_date, hire_date }: Duplicate): string {
  const same = SAME[reason] ?? reason;
  if (status === 'inactive')
    return end_date === null ? `${same}, inactive` : `${same}, left ${formatDay(end_date)}`;
  return reason === 'name' ? `${same} and hire date, ${formatDay(hire_date)}` : same;
}

/** Milliseconds without a key press before the staff are searched. */
const PAUSE = 400;

function usePaused(text: string): string {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), PAUSE);
    return () => clearTimeout(timer);
  }, [text]);
  return paused;
}

/** @param except the record that is edited */
export function useDuplicates(given: GivenPerson, except: string | undefined) {
  const text = JSON.stringify(given);
  const isPaused = usePaused(text) === text;
  const { full_name, email, phone } = given;
  return useQuery({
    queryKey: [...staffKey, 'duplicates', text, except],
    queryFn: () => fetchDuplicates([given], except),
    enabled: isPaused && (email !== '' || phone !== '' || full_name.trim().length > 2),
  });
}

/** For the preview of an import: what is wrong with each row, or null. Who left is no obstacle. */
export async function checkDuplicates(rows: object[]): Promise<(string | null)[]> {
  const found = await fetchDuplicates(rows);
  return rows.map((_, index) => {
    const one = found.find(
      ({ place, status, is_certain, reason }) =>
        place === index + 1 && (is_certain || (reason === 'name' && status === 'active')),
    );
    if (!one) return null;
    const where = one.other_place === null ? 'on the staff' : 'in this file';
    return `${one.full_name}, ${where}, has ${describeDuplicate(one)}`;
  });
}
