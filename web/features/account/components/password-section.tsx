// Another password.
import { useQueryClient } from '@tanstack/react-query';
import { NewPasswordForm } from '#web/components/form/new-password-form.tsx';
import { PASSWORD_MIN } from '#web/components/form/password-field.tsx';
import { showSuccess } from '#web/components/ui/toast.ts';
import { useAuth } from '#web/lib/session/auth-context.ts';
import { devicesQuery } from '../api/devices.ts';
import { AccountSection } from './account-section.tsx';

export function PasswordSection() {
  const { user } = useAuth();
  const queryClient = useQueryClient();
  function saved() {
    showSuccess('Password changed', 'Your other devices have been signed out.');
    void queryClient.invalidateQueries({ queryKey: devicesQuery().queryKey });
  }
  return (
    <AccountSection
      title="Password"
      text="A long sentence is stronger than a short riddle. Changing it signs out your other devices."
    >
      <NewPasswordForm
        email={user?.email ?? ''}
        minLength={PASSWORD_MIN}
        submitLabel="Change password"
        submitVariant="secondary"
        onSaved={saved}
      />
    </AccountSection>
  );
}
