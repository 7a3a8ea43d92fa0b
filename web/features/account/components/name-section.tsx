// The name that others see.
import { useQuery } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { useSave } from '#web/components/form/use-save.ts';
import { Button } from '#web/components/ui/button.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { Input } from '#web/components/ui/input.tsx';
import { useAuth } from '#web/lib/session/auth-context.ts';
import { profileQuery } from '#web/lib/session/profile-query.ts';
import { useChangeName } from '../api/change-name.ts';
import { AccountSection } from './account-section.tsx';

const NAME_MAX = 200;

export function NameSection() {
  const { user } = useAuth();
  const { data } = useQuery(profileQuery(user?.id));
  const change = useChangeName();
  const { save, busy } = useSave({ success: 'Name saved' });
  const { register, handleSubmit } = useForm({
    values: { fullName: data?.full_name ?? '' },
    resetOptions: { keepDirtyValues: true },
  });
  const submit = handleSubmit(({ fullName }) => save(() => change.mutateAsync(fullName)));
  return (
    <AccountSection title="Name" text="How you appear to your colleagues.">
      <form onSubmit={submit} className="grid gap-5">
        <Field label="Full name">
          {(control) => (
            <Input
              {...control}
              {...register('fullName')}
              required
              // More than white space.
              pattern=".*\S.*"
              title="Your name"
              maxLength={NAME_MAX}
              autoComplete="name"
            />
          )}
        </Field>
        <Button type="submit" variant="secondary" busy={busy} className="w-full sm:w-fit">
          Save name
        </Button>
      </form>
    </AccountSection>
  );
}
