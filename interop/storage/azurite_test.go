//go:build interop

package storage

import (
	"net/http"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blockblob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/sas"
)

// azurite makes a container and stores blobs in it.
type azurite struct {
	address string // of the container
	key     *blob.SharedKeyCredential
}

func newAzurite(t *testing.T, address string) *azurite {
	t.Helper()
	key, err := blob.NewSharedKeyCredential("devstoreaccount1", azuriteKey)
	if err != nil {
		t.Fatal(err)
	}
	permissions, resources := sas.AccountPermissions{Create: true, Write: true}, sas.AccountResourceTypes{Container: true}
	token, err := sas.AccountSignatureValues{
		Protocol: sas.ProtocolHTTPSandHTTP, ExpiryTime: time.Now().UTC().Add(time.Hour), Permissions: permissions.String(), ResourceTypes: resources.String(),
	}.SignWithSharedKey(key)
	if err != nil {
		t.Fatal(err)
	}
	req, err := http.NewRequest(http.MethodPut, address+"?restype=container&"+token.Encode(), nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	if resp.Body.Close(); resp.StatusCode != http.StatusCreated {
		t.Fatalf("the container: %s", resp.Status)
	}
	return &azurite{address, key}
}

func (a *azurite) put(t *testing.T, name string, b []byte) {
	t.Helper()
	opts := &blockblob.ClientOptions{ClientOptions: azcore.ClientOptions{InsecureAllowCredentialWithHTTP: true}}
	client, err := blockblob.NewClientWithSharedKeyCredential(a.address+"/"+name, a.key, opts)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.UploadBuffer(t.Context(), b, nil); err != nil {
		t.Fatal(err)
	}
}
