/** Says of a file that a later commit of the push takes it back, and that it leaves nevertheless. */
export const OnlyIn = ({ commit }: { commit: string }) => (
  <span class="tag" title={`Only in the intermediate commit ${commit}, and published with it`}>
    in <span class="mono">{commit}</span>
  </span>
);
