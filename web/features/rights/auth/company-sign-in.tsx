import { useForm } from 'react-hook-form';
import { EmailField } from '#web/components/form/email-field.tsx';
import { useSave } from '#web/components/form/use-save.ts';
import { Button } from '#web/components/ui/button.tsx';
import { signInWithCompany } from './sign-in-api.ts';

export function CompanySignIn({ onBack }: { onBack: () => void }) {
  const { save, busy } = useSave();
  const { register, handleSubmit } = useForm({ defaultValues: { email: '' } });
  const submit = handleSubmit(({ email }) => save(() => signInWithCompany(email)));
  return (
    <form onSubmit={submit} className="grid gap-4 border-t border-line pt-5">
      <EmailField
        registration={register('email')}
        label="Work email"
        hint="We take you to your company's sign-in page."
        autoComplete="email"
      />
      <div className="grid grid-cols-[auto_1fr] gap-3">
        <Button variant="ghost" onClick={onBack}>
          Back
        </Button>
        <Button type="submit" variant="secondary" busy={busy}>
          Continue
        </Button>
      </div>
    </form>
  );
}
