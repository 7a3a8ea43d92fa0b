import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Database } from '#shared/database.types.ts';
import { SETUP_MARKS_STEP } from '#shared/database.values.ts';
import { dashboardKey, setupKey } from '#web/lib/data/keys.ts';
import { supabase } from '#web/lib/supabase/client.ts';

export type StepName = (typeof SETUP_MARKS_STEP)[number];
type Row = Database['public']['Functions']['setup_state']['Returns'][number];
export type StepState = Omit<Row, 'step'> & { step: StepName };

/** A server with the release after may have further steps. */
const isKnown = (row: Row): row is StepState => SETUP_MARKS_STEP.some((step) => step === row.step);

export const setupQuery = queryOptions({
  queryKey: setupKey,
  queryFn: async () => {
    const { data } = await supabase().rpc('setup_state').throwOnError();
    return data.filter(isKnown);
  },
});

export const useSetup = () => useQuery(setupQuery);

export type Mark = 'confirmed' | 'later' | null;

async function markStep({ step, mark }: { step: StepName; mark: Mark }): Promise<void> {
  await supabase()
    .rpc('mark_setup_step', { p_step: step, ...(mark && { p_mark: mark }) })
    .throwOnError();
}

/** The dashboard shows the guide as long as there are open steps. */
export function useMarkStep() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: markStep,
    onSuccess: () =>
      Promise.all(
        [setupKey, dashboardKey].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
      ),
  });
}
