import { ArrowLeft, MailCheck } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { EmailField } from '#web/components/form/email-field.tsx';
import { useSave } from '#web/components/form/use-save.ts';
import { Button } from '#web/components/ui/button.tsx';

type AskForLinkProps = {
  defaultEmail: string;
  /** Who gets a link, for example "has an account". */
  condition: string;
  /** For example "to sign in". */
  purpose: string;
  hint: string;
  request: (email: string) => Promise<void>;
  /** Goes back to sign-in; without it there is no button. */
  onBack?: (() => void) | undefined;
};

/** A form for the address that gets a link by mail, and what it says afterwards, whether the address is known or not. */
export function AskForLink(props: AskForLinkProps) {
  const { defaultEmail, condition, purpose, hint, request, onBack } = props;
  const [sentTo, setSentTo] = useState('');
  const { save, busy } = useSave();

  const again = useSave({ success: 'Email sent' });
  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const email = String(new FormData(event.currentTarget).get('email') ?? '');
    if (await save(() => request(email))) setSentTo(email.trim());
  }
  const back = onBack && (
    <Button variant="link" onClick={onBack} className="-my-2">
      <ArrowLeft aria-hidden="true" className="size-4" />
      Back to sign in
    </Button>
  );

  if (sentTo) {
    return (
      <div className="grid justify-items-center gap-4 text-center">
        <MailCheck aria-hidden="true" className="size-10 text-accent" strokeWidth={1.5} />
        <div role="status">
          <p className="text-lg font-semibold">Check your email</p>
          <p className="mt-1.5 text-pretty text-muted">
            If <span className="font-semibold wrap-anywhere text-ink">{sentTo}</span> {condition},
            we have sent it a link {purpose}. The link works once, within an hour.
          </p>
        </div>
        <Button
          variant="secondary"
          busy={again.busy}
          className="w-full"
          onClick={() => again.save(() => request(sentTo))}
        >
          Send it again
        </Button>
        {back}
      </div>
    );
  }
  return (
    <form
      onSubmit={(event) => void submit(event)}
      className="grid justify-items-stretch gap-5 text-center"
    >
      <div className="text-left">
        <EmailField registration={{ name: 'email', defaultValue: defaultEmail }} hint={hint} />
      </div>
      <Button type="submit" busy={busy} className="mt-1 w-full">
        Send me a link
      </Button>
      {back}
    </form>
  );
}
