// A code sent to the phone: sent when the person asks for it, so that looking at the screen costs no message.
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { CodeField } from '#web/components/form/code-field.tsx';
import { useSave } from '#web/components/form/use-save.ts';
import { Button } from '#web/components/ui/button.tsx';
import { enterPhoneCode, sendPhoneCode } from '../../api/second-step.ts';

export function PhoneStep({ factorId, success }: { factorId: string; success: string }) {
  const [challengeId, setChallengeId] = useState('');
  const sending = useSave({ success: challengeId ? 'A new code is on its way' : undefined });
  const entering = useSave({ success });
  const { register, handleSubmit } = useForm({ defaultValues: { code: '' } });
  const send = () =>
    sending.save(() => sendPhoneCode(factorId).then((challenge) => setChallengeId(challenge)));

  if (!challengeId) {
    return (
      <div className="grid gap-5">
        <p>We send a code to the phone number of your account.</p>
        <Button busy={sending.busy} onClick={send} className="w-full">
          Send me a code
        </Button>
      </div>
    );
  }
  const submit = handleSubmit(({ code }) =>
    entering.save(() => enterPhoneCode(factorId, challengeId, code.replaceAll(' ', ''))),
  );
  return (
    <form onSubmit={submit} className="grid gap-5">
      <CodeField registration={register('code')} label="Code" hint="The digits of our message." />
      <Button type="submit" busy={entering.busy} className="w-full">
        Continue
      </Button>
      <Button variant="secondary" busy={sending.busy} onClick={send} className="w-full">
        Send a new code
      </Button>
    </form>
  );
}
