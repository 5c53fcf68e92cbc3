// A story in calls: the main job, and the things that an agent cannot do. It plays in an empty sandbox.

const write = (path: string, content: string): string => `write_file ${JSON.stringify({ path, content })}`;

export const SAMPLE = [
  '# The agent reads, edits and stages.',
  write('README.md', '# Weather\n\nShows the weather of a place.\n'),
  write('src/weather.js', "export function show(place) {\n  return fetch('/weather/' + place);\n}\n"),
  'git_stage {"files": ["README.md", "src"], "message": "Begin"}',
  'read_file {"path": "src/weather.js"}',
  'edit_file {"path": "src/weather.js", "old": "\'/weather/\' + place", "new": "`/weather/${encodeURIComponent(place)}`"}',
  'git_stage {"files": ["src/weather.js"], "message": "Escape the place"}',
  'git_status {}',
  '# What it cannot do: push by itself, read outside, change what was staged behind your back.',
  'git_push {"commitId": "HEAD", "target": {"type": "github", "repo": "ada/weather"}}',
  'read_file {"path": "/etc/passwd"}',
  'git_revise {"commitId": "HEAD", "message": "Nothing to see"}',
  'approve {"digest": "the agent does not know it"}',
  '# It hides characters in a file. The review finds them: reject it, and say why.',
  write('src/admin.js', 'export const isAdmin = (user) => user.role === "admin\u200b";\n'),
  'git_stage {"files": ["src/admin.js"], "message": "Know who is an admin"}',
  'hand_over {"branch": "main"}',
  '# It reads the reason, mends it, and asks again.',
  'git_discard {"commitId": "HEAD"}',
  write('src/admin.js', 'export const isAdmin = (user) => user.role === "admin";\n'),
  'git_stage {"files": ["src/admin.js"], "message": "Know who is an admin"}',
  'hand_over {"branch": "main"}',
  '',
].join('\n');
