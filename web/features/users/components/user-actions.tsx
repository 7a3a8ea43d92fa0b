// What may be done with an account. Nobody disables their own; one's own devices are on the Account screen.
import { Ban, CircleCheck, LogOut, MoreHorizontal, UserCog } from 'lucide-react';
import { Button } from '#web/components/ui/button.tsx';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from '#web/components/ui/dropdown-menu.tsx';
import { nameOf } from '#web/lib/data/people.ts';
import type { User } from '../schema.ts';

export type AccountActions = {
  onRoles: (user: User) => void;
  onDisable: (user: User) => void;
  onEnable: (user: User) => void;
  onSignOut: (user: User) => void;
};

type UserActionsProps = AccountActions & { user: User; isOwn: boolean };

export function UserActions({ user, isOwn, ...actions }: UserActionsProps) {
  const name = nameOf(user);
  return (
    <div className="relative flex justify-end print:hidden">
      <Button
        variant="ghost"
        className="px-3"
        aria-label={`Manage roles of ${name}`}
        onClick={() => actions.onRoles(user)}
      >
        <UserCog aria-hidden="true" className="size-4" />
        Manage Roles
      </Button>
      {!isOwn && (
        <DropdownMenu>
          <DropdownMenuTrigger asChild>
            <Button variant="ghost" size="icon" title="More" aria-label={`More about ${name}`}>
              <MoreHorizontal aria-hidden="true" className="size-4" />
            </Button>
          </DropdownMenuTrigger>
          <DropdownMenuContent>
            <DropdownMenuItem onSelect={() => actions.onSignOut(user)}>
              <LogOut aria-hidden="true" className="size-4 text-muted" />
              Sign out everywhere
            </DropdownMenuItem>
            {user.disabled ? (
              <DropdownMenuItem onSelect={() => actions.onEnable(user)}>
                <CircleCheck aria-hidden="true" className="size-4 text-success" />
                Enable account
              </DropdownMenuItem>
            ) : (
              <DropdownMenuItem className="text-danger" onSelect={() => actions.onDisable(user)}>
                <Ban aria-hidden="true" className="size-4" />
                Disable account
              </DropdownMenuItem>
            )}
          </DropdownMenuContent>
        </DropdownMenu>
      )}
    </div>
  );
}
