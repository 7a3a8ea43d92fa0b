import { Plus } from 'lucide-react';
import { ListButtons } from '#web/components/list/list-buttons.tsx';
import { ScreenHeading } from '#web/components/list/screen-heading.tsx';
import { ViewsButton } from '#web/components/list/views-button.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '#web/components/ui/tabs.tsx';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { certificationList, exportCourses } from './api.ts';
import { CertificationList } from './certification-list.tsx';
import { CourseList } from './course-list.tsx';
import type { CertificationSearch } from './search.ts';

type CertificationBoardProps = {
  search: CertificationSearch;
  onChange: ChangeSearch<CertificationSearch>;
};

export function CertificationBoard({ search, onChange }: CertificationBoardProps) {
  const { view } = search;
  return (
    <>
      <ScreenHeading title="Training & Certifications" aside={<ViewsButton hasLayouts={false} />}>
        <ListButtons
          exportRecords={(format) =>
            view === 'courses' ? exportCourses(format) : certificationList.exportAll(search, format)
          }
        />
        <Button onClick={() => onChange({ open: 'new' })}>
          <Plus aria-hidden="true" className="size-4.5" />
          {view === 'courses' ? 'Add Course' : 'Add Certification'}
        </Button>
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
          <CertificationList search={search} onChange={onChange} />
        </TabsContent>
        <TabsContent value="courses">
          <CourseList search={search} onChange={onChange} />
        </TabsContent>
      </Tabs>
    </>
  );
}
