// A recovery code, for whoever has lost the device: it works once and takes the second step off the account.
import { useForm } from 'react-hook-form';
import { useSave } from '#web/components/form/use-save.ts';
import { Button } from '#web/components/ui/button.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { Input } from '#web/components/ui/input.tsx';
import { tell } from '#web/lib/session/notice.ts';
import { spendRecoveryCode } from '../../api/spend-recovery-code.ts';

export function RecoveryStep() {
  const { save, busy } = useSave();
  const { register, handleSubmit } = useForm({ defaultValues: { code: '' } });
  const submit = handleSubmit(({ code }) =>
    save(async () => {
      await spendRecoveryCode(code);
      tell({
        tone: 'info',
        title: 'Your second step is off',
        text: 'The recovery code took it off your account. Set it up again under Account.',
      });
    }),
  );
  return (
    <form onSubmit={submit} className="grid gap-5">
      <Field
        label="Recovery code"
        hint="One of the codes that you saved. It works once, and you then set up your second step anew."
      >
        {(control) => (
          <Input
            {...control}
            {...register('code')}
            required
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            className="font-mono"
          />
        )}
      </Field>
      <Button type="submit" busy={busy} className="w-full">
        Continue
      </Button>
    </form>
  );
}
