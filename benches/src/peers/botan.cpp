// A C interface to those parts of Botan that are measured. Exceptions end the program.

#include <botan/aead.h>
#include <botan/block_cipher.h>
#include <botan/cipher_mode.h>
#include <botan/exceptn.h>
#include <botan/mac.h>
#include <botan/version.h>

#include <cstdint>
#include <cstring>

namespace {

struct Cipher {
   std::unique_ptr<Botan::Cipher_Mode> mode;
   Botan::AEAD_Mode* aead;  // the same, if it is one
   bool decrypt;
   Botan::secure_vector<uint8_t> rest;
};

}  // namespace

extern "C" {

const char* sm4_bench_botan_version() noexcept {
   return Botan::short_version_cstr();
}

Botan::BlockCipher* sm4_bench_botan_block_new() noexcept {
   return Botan::BlockCipher::create("SM4").release();
}

void sm4_bench_botan_block_free(Botan::BlockCipher* cipher) noexcept {
   delete cipher;
}

void sm4_bench_botan_block_provider(const Botan::BlockCipher* cipher, char* name, size_t size) noexcept {
   std::strncpy(name, cipher->provider().c_str(), size - 1);
}

void sm4_bench_botan_block_key(Botan::BlockCipher* cipher, const uint8_t* key, size_t size) noexcept {
   cipher->set_key(key, size);
}

void sm4_bench_botan_block_crypt(const Botan::BlockCipher* cipher, bool decrypt, uint8_t* data, size_t blocks) noexcept {
   if(decrypt) {
      cipher->decrypt_n(data, data, blocks);
   } else {
      cipher->encrypt_n(data, data, blocks);
   }
}

Botan::MessageAuthenticationCode* sm4_bench_botan_mac_new(const char* name) noexcept {
   return Botan::MessageAuthenticationCode::create(name).release();
}

void sm4_bench_botan_mac_free(Botan::MessageAuthenticationCode* mac) noexcept {
   delete mac;
}

void sm4_bench_botan_mac_key(Botan::MessageAuthenticationCode* mac, const uint8_t* key, size_t size) noexcept {
   mac->set_key(key, size);
}

void sm4_bench_botan_mac_run(Botan::MessageAuthenticationCode* mac, const uint8_t* data, size_t size, uint8_t* tag) noexcept {
   mac->update(data, size);
   mac->final(tag);
}

Cipher* sm4_bench_botan_cipher_new(const char* name, bool decrypt) noexcept {
   auto mode = Botan::Cipher_Mode::create(name, decrypt ? Botan::Cipher_Dir::Decryption : Botan::Cipher_Dir::Encryption);
   if(!mode) {
      return nullptr;
   }
   auto aead = dynamic_cast<Botan::AEAD_Mode*>(mode.get());
   return new Cipher{std::move(mode), aead, decrypt, {}};
}

void sm4_bench_botan_cipher_free(Cipher* cipher) noexcept {
   delete cipher;
}

void sm4_bench_botan_cipher_key(Cipher* cipher, const uint8_t* key, size_t size) noexcept {
   cipher->mode->set_key(key, size);
}

// One message in place. As much as the mode allows is done where it is, the rest in a vector, as
// finish() wants it. AEADs make or check the tag: false if it is a wrong one.
bool sm4_bench_botan_cipher_run(Cipher* cipher,
                                const uint8_t* iv,
                                size_t iv_size,
                                const uint8_t* aad,
                                size_t aad_size,
                                uint8_t* data,
                                size_t size,
                                uint8_t* tag) noexcept {
   constexpr size_t tag_size = 16;
   auto& mode = *cipher->mode;
   auto& rest = cipher->rest;
   if(cipher->aead) {
      cipher->aead->set_associated_data({aad, aad_size});
   }
   mode.start(iv, iv_size);

   size_t done = 0;
   if(!mode.requires_entire_message()) {
      const size_t last = cipher->aead ? 0 : mode.minimum_final_size();
      const size_t step = mode.update_granularity();
      done = size > last ? (size - last) / step * step : 0;
      mode.process(data, done);
   }
   rest.assign(data + done, data + size);
   if(cipher->aead && cipher->decrypt) {
      rest.insert(rest.end(), tag, tag + tag_size);
   }
   try {
      mode.finish(rest);
   } catch(const Botan::Invalid_Authentication_Tag&) {
      return false;
   }
   std::memcpy(data + done, rest.data(), size - done);
   if(cipher->aead && !cipher->decrypt) {
      std::memcpy(tag, rest.data() + (size - done), tag_size);
   }
   return true;
}
}
