export function ContactForm() {
  return (
    <form className="grid gap-4">
      <input name="name" className="border border-line-strong h-11" />
      <textarea className="border border-line-strong h-32" />
    </form>
  );
}
