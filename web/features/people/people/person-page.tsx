import { Fragment, type ReactNode } from 'react';
import type { Role } from '#shared/grants.ts';
import { mayReadOfOthers, type TableName } from '#shared/permissions.ts';
import { mayExportPeople, mayManagePeople, maySee } from '#shared/screens.ts';
import { Breadcrumbs } from '#web/components/layout/breadcrumbs.tsx';
import { Alert } from '#web/components/ui/alert.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { SectionColumns } from '#web/components/ui/section-columns.tsx';
import { usePageTitle } from '#web/lib/app/page-title.ts';
import { formatName } from '#web/lib/format/person-name.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import { usePersonPage } from './api.ts';
import { DocumentsSection } from './documents-section.tsx';
import { DutiesSection } from './duties-section.tsx';
import { PaySection, PersonHistory } from './office-sections.tsx';
import { PersonActions } from './person-actions.tsx';
import { PersonHeader } from './person-header.tsx';
import { PinSection } from './pin-section.tsx';
import { PrivacySection } from './privacy-section.tsx';
import {
  CertificatesSection,
  DeploymentsSection,
  IncidentsSection,
  LeaveSection,
  TimesheetsSection,
} from './record-sections.tsx';
import type { Person, StaffRecord } from './schema.ts';

type PayParts = {
  /** Further sections about the pay of a staff member, for those who may see it. */
  renderPay: (staff: StaffRecord) => ReactNode;
};

function Sections({ person, renderPay }: PayParts & { person: Person }) {
  const { id, hasAccount, staff } = person;
  const { roles } = useAuth();
  const reads = (table: TableName) => mayReadOfOthers(roles, table);
  const work = [
    hasAccount && reads('assignments') && <DutiesSection key="duties" id={id} />,
    hasAccount && reads('incidents') && <IncidentsSection key="incidents" id={id} />,
    staff && reads('pay_bases') && <Fragment key="pay-parts">{renderPay(staff)}</Fragment>,
    hasAccount && <DeploymentsSection key="deployments" id={id} />,
    hasAccount && maySee(roles, 'certifications') && <DocumentsSection key="documents" id={id} />,
  ];
  const records = [
    hasAccount && reads('leave_requests') && <LeaveSection key="leave" id={id} />,
    hasAccount && reads('certifications') && <CertificatesSection key="certificates" id={id} />,
    hasAccount && maySee(roles, 'timesheets') && <TimesheetsSection key="timesheets" id={id} />,
    hasAccount && <PinSection key="pin" id={id} />,
    staff && reads('payroll') && <PaySection key="pay" staff={staff} />,
    mayExportPeople(roles) && <PrivacySection key="privacy" person={person} />,
    reads('audit_log') && <PersonHistory key="history" id={id} staffId={staff?.id} />,
  ];
  return <SectionColumns wide={work} narrow={records} />;
}

/** A list of people that these roles may open. */
function listAbove(roles: readonly Role[]) {
  if (maySee(roles, 'people')) return { label: 'People', to: '/admin/people' } as const;
  if (maySee(roles, 'staff')) return { label: 'Staff', to: '/admin/staff' } as const;
  return { label: 'Shifts', to: '/admin/shifts' } as const;
}

function Page({ person, renderPay }: PayParts & { person: Person }) {
  const { roles } = useAuth();
  return (
    <>
      <Breadcrumbs trail={[listAbove(roles)]} current={formatName(person)} />
      <PersonHeader
        person={person}
        actions={mayManagePeople(roles) && <PersonActions person={person} />}
      />
      <Sections person={person} renderPay={renderPay} />
    </>
  );
}

/** @param id of an account, or of a staff record without one */
export function PersonPage({ id, renderPay }: PayParts & { id: string }) {
  const query = usePersonPage(id);
  usePageTitle(query.data ? formatName(query.data) : 'Person');
  return (
    <Loaded query={query} loadingText="Loading person...">
      {(person) =>
        person === null ? (
          <Alert title="There is no such person">
            The account was deleted, or you may not see it.
          </Alert>
        ) : (
          <Page person={person} renderPay={renderPay} />
        )
      }
    </Loaded>
  );
}
