// The tracker for whoever is signed in: create, list, delete.
import { TopBar } from '#web/components/layout/top-bar.tsx';
import { SignOutButton } from '#web/features/auth/components/sign-out-button.tsx';
import { DeploymentBoard } from '#web/features/deployments/components/deployment-board.tsx';
import { DeploymentList } from '#web/features/deployments/components/deployment-list.tsx';
import { usePageTitle } from '#web/lib/page-title.ts';
import { useAuth } from '#web/lib/session/auth-context.ts';

export function TrackerScreen() {
  const { user } = useAuth();
  usePageTitle('Guard Deployment Tracker');
  return (
    <>
      <TopBar email={user?.email}>
        <SignOutButton label="Sign Out" />
      </TopBar>
      <main className="mx-auto max-w-7xl px-4 py-8 sm:px-8 sm:py-12">
        <DeploymentBoard
          heading={
            <>
              <h1 className="font-display text-3xl leading-tight sm:text-4xl">
                Guard Deployment Tracker
              </h1>
              <h2 className="sr-only">Deployments</h2>
            </>
          }
          createTitle="Create New Deployment"
          created="Deployment created successfully"
        >
          <DeploymentList deleted="Deployment deleted successfully" />
        </DeploymentBoard>
      </main>
    </>
  );
}
