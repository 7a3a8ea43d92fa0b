import { requestNewPassword } from './account-api.ts';
import { AskForLink } from './ask-for-link.tsx';

type ForgotPasswordProps = {
  defaultEmail: string;
  /** Goes back to sign-in; without it there is no button. */
  onBack?: () => void;
};

export function ForgotPassword({ defaultEmail, onBack }: ForgotPasswordProps) {
  return (
    <AskForLink
      defaultEmail={defaultEmail}
      condition="has an account"
      purpose="to set a new password"
      hint="No email address? Ask your office for a start code."
      request={requestNewPassword}
      onBack={onBack}
    />
  );
}
