/** Texts of a round as they come from repositories and models. */

export const ISSUE = `# Durations above one hour are printed wrong

\`format_duration(3725)\` gives \`62m 5s\`, I expected \`1h 2m 5s\`.
Below one hour everything is fine. A whole hour, \`format_duration(3600)\`, gives \`60m 0s\`.
`

export const PATCH = `diff --git a/src/duration.py b/src/duration.py
index 1f2e3d4..5a6b7c8 100644
--- a/src/duration.py
+++ b/src/duration.py
@@ -8,7 +8,10 @@ def format_duration(seconds):
     """Seconds as people read them."""
     if seconds < 0:
         raise ValueError("a duration is not negative")
-    minutes, rest = divmod(seconds, 60)
-    return f"{minutes}m {rest}s"
+    minutes, rest = divmod(seconds, 60)
+    hours, minutes = divmod(minutes, 60)
+    if hours:
+        return f"{hours}h {minutes}m {rest}s"
+    return f"{minutes}m {rest}s"
 
 
`

export const TESTS = `diff --git a/tests/test_hours.py b/tests/test_hours.py
new file mode 100644
--- /dev/null
+++ b/tests/test_hours.py
@@ -0,0 +1,13 @@
+from duration import format_duration
+
+
+def test_hours_are_split_off():
+    assert format_duration(3725) == "1h 2m 5s"
+
+
+def test_whole_hour():
+    assert format_duration(3600) == "1h 0m 0s"
+
+
+def test_minutes_stay():
+    assert format_duration(65) == "1m 5s"
`

/** Everything at once that would act on a page, a terminal or an eye if it were not stopped. */
export const HOSTILE = [
  '<script>document.title = "owned"</script>',
  '<img src=x onerror="document.title=\'owned\'">',
  '"><svg onload=alert(1)>',
  "' onmouseover='alert(1)",
  '</pre></details><iframe src="javascript:alert(1)"></iframe>',
  '[a link](javascript:alert(1)) https://example.com/track.png @everyone fixes #1',
  '\u001b[31mred\u001b[0m \u0000 \u0007 \u202egnp.exe\u202c \u2066isolated\u2069 zero\u200bwidth \u{e0041}tag',
  '<!-- --> ]]> &lt;b&gt; {{constructor}}',
].join('\n')
