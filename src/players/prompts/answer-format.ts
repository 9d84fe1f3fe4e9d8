/** Told to every model; the grammar itself is docs/answers.md. */
export const ANSWER_FORMAT = `Answer with one unified diff in a fenced block, and nothing that it does not need:

\`\`\`diff
--- a/path/to/file
+++ b/path/to/file
@@ -10,6 +10,7 @@
 three lines of context before
 the change
 as they stand in the file
-a removed line
+a line in its place
+an added line
 three lines of context after
 the change
 as they stand in the file
\`\`\`

- Paths are relative to the root of the repository. For a new file write "--- /dev/null", for a removed one "+++ /dev/null".
- Context and removed lines must stand in the file exactly as you write them, white space included. Line numbers may be off; text may not.
- Several files go into one block, or into several blocks.
- Instead of a diff you may give edits, each with a text that stands exactly once in its file:

\`\`\`
path/to/file
<<<<<<< SEARCH
the text as it stands
=======
the text in its place
>>>>>>> REPLACE
\`\`\`

- Or whole files, each in a fenced block whose first line names the language and the path: \`\`\`python path/to/file.py
- If a file itself holds a line of three backticks, use four around it.
- Thoughts between <think> and </think> are not read. An answer that is cut is not read either: be short.`
