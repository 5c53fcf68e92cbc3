/** Says that a later commit of the push reverts a file, but that the file leaves nevertheless. */
export const OnlyIn = ({ commit }: { commit: string }) => (
  <span class="tag" title={`Only in the intermediate commit ${commit}, and published with it`}>
    in <span class="mono">{commit}</span>
  </span>
);
