/** A name, and what tells it apart from equal ones on the page, if there are any; that is never cut. */
export function Who({ name, apart }: { readonly name: string; readonly apart: string | undefined }) {
  return (
    <span class="who">
      <bdi class="name">{name}</bdi>
      {apart !== undefined && <span class="apart">{apart}</span>}
    </span>
  );
}
