// Changes the person's own name.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { profileQuery } from '#web/lib/session/profile-query.ts';
import { requireUserId } from '#web/lib/session/require-user.ts';
import { supabase } from '#web/lib/supabase/client.ts';

async function changeName(fullName: string): Promise<string> {
  const id = await requireUserId();
  const { data } = await supabase()
    .from('profiles')
    .update({ full_name: fullName.trim() })
    .eq('id', id)
    .select('id')
    .maybeSingle()
    .throwOnError();
  if (!data) throw new Error('Your profile no longer exists.');
  return id;
}

export function useChangeName() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: changeName,
    onSuccess: (id) => queryClient.invalidateQueries({ queryKey: profileQuery(id).queryKey }),
  });
}
