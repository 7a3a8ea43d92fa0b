// The code of an authenticator app.
import { useEffect } from 'react';
import { useForm } from 'react-hook-form';
import { CodeField } from '#web/components/form/code-field.tsx';
import { useSave } from '#web/components/form/use-save.ts';
import { Button } from '#web/components/ui/button.tsx';
import { enterAppCode } from '../../api/second-step.ts';

export function CodeStep({ factorId, success }: { factorId: string; success: string }) {
  const { save, busy } = useSave({ success });
  const { register, handleSubmit, setFocus } = useForm({ defaultValues: { code: '' } });
  useEffect(() => setFocus('code'), [setFocus]);
  const submit = handleSubmit(({ code }) =>
    save(() => enterAppCode(factorId, code.replaceAll(' ', ''))),
  );
  return (
    <form onSubmit={submit} className="grid gap-5">
      <CodeField
        registration={register('code')}
        label="Code"
        hint="The six digits that your authenticator app shows for this account."
      />
      <Button type="submit" busy={busy} className="w-full">
        Continue
      </Button>
    </form>
  );
}
