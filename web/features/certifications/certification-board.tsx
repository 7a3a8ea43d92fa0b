import { Plus } from 'lucide-react';
import { useRowDialogs } from '#web/components/form/use-row-dialogs.ts';
import { ExportButton } from '#web/components/list/list-buttons.tsx';
import { ScreenHeading } from '#web/components/list/screen-heading.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '#web/components/ui/tabs.tsx';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { type CourseRow, exportCertifications, exportCourses } from './api.ts';
import { CertificationList } from './certification-list.tsx';
import { CourseList } from './course-list.tsx';
import type { CertificationRow, CertificationSearch } from './schema.ts';

type CertificationBoardProps = {
  search: CertificationSearch;
  onChange: ChangeSearch<CertificationSearch>;
};

export function CertificationBoard({ search, onChange }: CertificationBoardProps) {
  const certifications = useRowDialogs<CertificationRow>();
  const courses = useRowDialogs<CourseRow>();
  const { view, q, state, course, person, sort } = search;
  return (
    <>
      <ScreenHeading title="Training & Certifications">
        {view === 'courses' ? (
          <>
            <ExportButton exportRecords={exportCourses} />
            <Button onClick={() => courses.open('new')}>
              <Plus aria-hidden="true" className="size-4.5" />
              Add Course
            </Button>
          </>
        ) : (
          <>
            <ExportButton
              exportRecords={() => exportCertifications({ q, state, course, person, sort })}
            />
            <Button onClick={() => certifications.open('new')}>
              <Plus aria-hidden="true" className="size-4.5" />
              Add Certification
            </Button>
          </>
        )}
      </ScreenHeading>
      <Tabs
        value={view ?? 'certifications'}
        onValueChange={(value) => onChange({ view: value === 'courses' ? value : undefined })}
      >
        <TabsList aria-label="Certifications or courses" className="mb-6 sm:max-w-md">
          <TabsTrigger value="certifications">Certifications</TabsTrigger>
          <TabsTrigger value="courses">Courses</TabsTrigger>
        </TabsList>
        <TabsContent value="certifications">
          <CertificationList search={search} onChange={onChange} dialogs={certifications} />
        </TabsContent>
        <TabsContent value="courses">
          <CourseList dialogs={courses} />
        </TabsContent>
      </Tabs>
    </>
  );
}
