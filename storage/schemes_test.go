package storage

import "testing"

// TestOtherSchemes: other words for object stores name the same blobs.
func TestOtherSchemes(t *testing.T) {
	t.Setenv("AZURE_STORAGE_ACCOUNT", "here")
	t.Setenv("AZURE_STORAGE_CONNECTION_STRING", "")
	t.Setenv("AWS_ACCESS_KEY_ID", "a")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "b")
	t.Setenv("AWS_REGION", "eu-west-1")
	var c Client
	for location, same := range map[string]string{
		"s3a://bucket/a/b": "s3://bucket/a/b", "azure://box/a": "az://box/a", "abfs://box/a": "az://box/a",
		"ABFSS://box@here.dfs.core.windows.net/a/b": "az://box/a/b",
	} {
		b, name, err := c.Resolve(location)
		if err != nil {
			t.Errorf("%s: %v", location, err)
			continue
		}
		if got := b.(interface{ location(string) string }).location(name); got != same {
			t.Errorf("%s is %s, expected %s", location, got, same)
		}
		if !IsRemote(location) {
			t.Errorf("%s is taken for a file", location)
		}
	}
	if _, _, err := c.Resolve("abfss://box@there.dfs.core.windows.net/a"); err == nil {
		t.Error("the credentials of one account were taken for another")
	}
}
